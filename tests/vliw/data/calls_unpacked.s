	.text
	.attribute	4, 66	// Tag_arch
	.attribute	5, 66	// Tag_hvx_arch
	.attribute	8, 1	// Tag_zreg
	.attribute	10, 1	// Tag_cabac
	.file	"kernels.c"
	.globl	f1                              // -- Begin function f1
	.p2align	4
	.type	f1,@function
f1:                                     // @f1
// %bb.0:
	{
		allocframe(r29,#64):raw
	}
	{
		p0 = cmp.gt(r0,#0)
	}
                                        // implicit-def: $r1
	{
		memd(r29+#56) = r17:16
	}                                       // 8-byte Folded Spill
	{
		memd(r29+#48) = r19:18
	}                                       // 8-byte Folded Spill
	{
		memd(r29+#40) = r21:20
	}                                       // 8-byte Folded Spill
	{
		if (!p0) jump:nt .LBB0_7
	}
// %bb.1:
	{
		p0 = cmp.gtu(r0,#7)
	}
	{
		r20 = and(r0,#7)
	}
	{
		r17:16 = combine(#0,#0)
	}
	{
		if (!p0) jump:nt .LBB0_4
	}
// %bb.2:
	{
		r21 = and(r0,##2147483640)
	}
	.p2align	4
.LBB0_3:                                // =>This Inner Loop Header: Depth=1
	{
		r0 = r16
	}
	{
		r1 = add(r29,#0)
	}
	{
		call ext
	}
	{
		r18 = r0
	}
	{
		r0 = add(r16,#1)
	}
	{
		r1 = add(r29,#0)
	}
	{
		call ext
	}
	{
		r19 = r0
	}
	{
		r0 = add(r16,#2)
	}
	{
		r1 = add(r29,#0)
	}
	{
		r19 += add(r18,r17)
	}
	{
		call ext
	}
	{
		r17 = r0
	}
	{
		r0 = add(r16,#3)
	}
	{
		r1 = add(r29,#0)
	}
	{
		call ext
	}
	{
		r18 = r0
	}
	{
		r0 = add(r16,#4)
	}
	{
		r1 = add(r29,#0)
	}
	{
		r18 += add(r17,r19)
	}
	{
		call ext
	}
	{
		r17 = r0
	}
	{
		r0 = add(r16,#5)
	}
	{
		r1 = add(r29,#0)
	}
	{
		call ext
	}
	{
		r19 = r0
	}
	{
		r0 = add(r16,#6)
	}
	{
		r1 = add(r29,#0)
	}
	{
		r19 += add(r17,r18)
	}
	{
		call ext
	}
	{
		r18 = r0
	}
	{
		r0 = add(r16,#7)
	}
	{
		r1 = add(r29,#0)
	}
	{
		call ext
	}
	{
		r17 = r0
	}
	{
		r16 = add(r16,#8)
	}
	{
		p0 = cmp.eq(r16,r21)
	}
	{
		r17 += add(r18,r19)
	}
	{
		if (!p0) jump:nt .LBB0_3
	}
.LBB0_4:
	{
		p0 = cmp.eq(r20,#0)
	}
	{
		if (p0) jump:nt .LBB0_6
	}
	.p2align	5
.LBB0_5:                                // =>This Inner Loop Header: Depth=1
	{
		r0 = r16
	}
	{
		r1 = add(r29,#0)
	}
	{
		call ext
	}
	{
		r20 = add(r20,#-1)
	}
	{
		r17 = add(r0,r17)
	}
	{
		r16 = add(r16,#1)
	}
	{
		p0 = cmp.eq(r20,#0)
	}
	{
		if (!p0) jump:nt .LBB0_5
	}
.LBB0_6:
	{
		r0 = memw(r29+#12)
	}
	{
		r1 = add(r0,r17)
	}
.LBB0_7:
	{
		r0 = add(pc,##_GLOBAL_OFFSET_TABLE_@PCREL)
	}
	{
		r0 = memw(r0+##g@GOT)
	}
	{
		r17:16 = memd(r29+#56)
	}                                       // 8-byte Folded Reload
	{
		r19:18 = memd(r29+#48)
	}                                       // 8-byte Folded Reload
	{
		r21:20 = memd(r29+#40)
	}                                       // 8-byte Folded Reload
	{
		r0 = memw(r0+#0)
	}
	{
		r0 = add(r1,r0)
	}
	{
		r31:30 = dealloc_return(r30):raw
	}
.Lfunc_end0:
	.size	f1, .Lfunc_end0-f1
                                        // -- End function
	.globl	f2                              // -- Begin function f2
	.p2align	4
	.type	f2,@function
f2:                                     // @f2
// %bb.0:
	{
		allocframe(r29,#32):raw
	}
	{
		memd(r29+#24) = r17:16
	}                                       // 8-byte Folded Spill
	{
		r16 = r0
	}
	{
		r2 = r1
	}
	{
		p0 = cmp.gt(r1,#0)
	}
	{
		r0 = #0
	}
	{
		r1 = #0
	}
	{
		memd(r29+#16) = r19:18
	}                                       // 8-byte Folded Spill
	{
		memd(r29+#8) = r21:20
	}                                       // 8-byte Folded Spill
	{
		memd(r29+#0) = r23:22
	}                                       // 8-byte Folded Spill
	{
		if (!p0) jump:nt .LBB1_7
	}
// %bb.1:
	{
		p0 = cmp.gtu(r2,#7)
	}
	{
		r20 = and(r2,#7)
	}
	{
		r17 = #0
	}
	{
		if (!p0) jump:nt .LBB1_4
	}
// %bb.2:
	{
		r21 = and(r2,##2147483640)
	}
	{
		r22 = add(r16,#32)
	}
	{
		r18 = #0
	}
	{
		r19 = ##1074003968
	}
	.p2align	4
.LBB1_3:                                // =>This Inner Loop Header: Depth=1
	{
		r3:2 = memd(r22+#-32)
	}
	{
		call dd
	}
	{
		r3:2 = combine(r19,r18)
	}
	{
		call __hexagon_muldf3
	}
	{
		r3:2 = memd(r22+#-24)
	}
	{
		call dd
	}
	{
		r3:2 = combine(r19,r18)
	}
	{
		call __hexagon_muldf3
	}
	{
		r3:2 = memd(r22+#-16)
	}
	{
		call dd
	}
	{
		r3:2 = combine(r19,r18)
	}
	{
		call __hexagon_muldf3
	}
	{
		r3:2 = memd(r22+#-8)
	}
	{
		call dd
	}
	{
		r3:2 = combine(r19,r18)
	}
	{
		call __hexagon_muldf3
	}
	{
		r3:2 = memd(r22+#0)
	}
	{
		call dd
	}
	{
		r3:2 = combine(r19,r18)
	}
	{
		call __hexagon_muldf3
	}
	{
		r3:2 = memd(r22+#8)
	}
	{
		call dd
	}
	{
		r3:2 = combine(r19,r18)
	}
	{
		call __hexagon_muldf3
	}
	{
		r3:2 = memd(r22+#16)
	}
	{
		call dd
	}
	{
		r3:2 = combine(r19,r18)
	}
	{
		call __hexagon_muldf3
	}
	{
		r3:2 = memd(r22+#24)
	}
	{
		call dd
	}
	{
		r3:2 = combine(r19,r18)
	}
	{
		call __hexagon_muldf3
	}
	{
		r17 = add(r17,#8)
	}
	{
		r22 = add(r22,#64)
	}
	{
		p0 = cmp.eq(r21,r17)
	}
	{
		if (!p0) jump:nt .LBB1_3
	}
.LBB1_4:
	{
		p0 = cmp.eq(r20,#0)
	}
	{
		if (p0) jump:nt .LBB1_7
	}
// %bb.5:
	{
		r18 = addasl(r16,r17,#3)
	}
	{
		r16 = #0
	}
	{
		r17 = ##1074003968
	}
	.p2align	5
.LBB1_6:                                // =>This Inner Loop Header: Depth=1
	{
		r3:2 = memd(r18++#8)
	}
	{
		call dd
	}
	{
		r3:2 = combine(r17,r16)
	}
	{
		call __hexagon_muldf3
	}
	{
		r20 = add(r20,#-1)
	}
	{
		p0 = cmp.eq(r20,#0)
	}
	{
		if (!p0) jump:nt .LBB1_6
	}
.LBB1_7:
	{
		r17:16 = memd(r29+#24)
	}                                       // 8-byte Folded Reload
	{
		r19:18 = memd(r29+#16)
	}                                       // 8-byte Folded Reload
	{
		r21:20 = memd(r29+#8)
	}                                       // 8-byte Folded Reload
	{
		r23:22 = memd(r29+#0)
	}                                       // 8-byte Folded Reload
	{
		r31:30 = dealloc_return(r30):raw
	}
.Lfunc_end1:
	.size	f2, .Lfunc_end1-f2
                                        // -- End function
	.globl	f3                              // -- Begin function f3
	.p2align	4
	.type	f3,@function
f3:                                     // @f3
// %bb.0:
	{
		r4 = add(pc,##_GLOBAL_OFFSET_TABLE_@PCREL)
	}
	{
		r7:6 = mpyu(r2,r0)
	}
	{
		r7 += mpyi(r2,r1)
	}
	{
		r4 = memw(r4+##g@GOT)
	}
	{
		r7 += mpyi(r0,r3)
	}
	{
		r2 = memw(r4+#0)
	}
	{
		r1:0 = add(r3:2,r7:6):raw:lo
	}
	{
		jumpr r31
	}
.Lfunc_end2:
	.size	f3, .Lfunc_end2-f3
                                        // -- End function
	.globl	sw                              // -- Begin function sw
	.p2align	4
	.type	sw,@function
sw:                                     // @sw
// %bb.0:
	{
		p0 = cmp.gtu(r0,#5)
	}
	{
		r1:0 = combine(r0,#0)
	}
	{
		if (p0) jumpr:nt r31
	}
.LBB3_1:
	{
		r0 = add(pc,##.LJTI3_0@PCREL)
	}
	{
		r1 = memw(r0+r1<<#2)
	}
	{
		r1 = add(r1,r0)
	}
	{
		r0 = #5
	}
	{
		jumpr r1
	}
.LBB3_2:
	{
		r0 = #77
	}
	{
		jumpr r31
	}
.LBB3_5:
	{
		r0 = #-1
	}
	{
		jumpr r31
	}
.LBB3_3:
	{
		r0 = add(pc,##_GLOBAL_OFFSET_TABLE_@PCREL)
	}
	{
		r0 = memw(r0+##g@GOT)
	}
	{
		r0 = memw(r0+#0)
	}
	{
		jumpr r31
	}
.LBB3_4:
	{
		r0 = #0
	}
	{
		jumpr r31
	}
.LBB3_6:
	{
		r0 = #999
	}
.LBB3_7:
	{
		jumpr r31
	}
.Lfunc_end3:
	.size	sw, .Lfunc_end3-sw
	.section	.rodata,"a",@progbits
	.p2align	2, 0x0
.LJTI3_0:
	.word	.LBB3_7-.LJTI3_0
	.word	.LBB3_2-.LJTI3_0
	.word	.LBB3_3-.LJTI3_0
	.word	.LBB3_4-.LJTI3_0
	.word	.LBB3_5-.LJTI3_0
	.word	.LBB3_6-.LJTI3_0
                                        // -- End function
	.text
	.globl	f4                              // -- Begin function f4
	.p2align	4
	.type	f4,@function
f4:                                     // @f4
// %bb.0:
	{
		r2 = r0
	}
	{
		p0 = cmp.gt(r1,#0)
	}
	{
		r0 = #0
	}
	{
		if (!p0) jump:nt .LBB4_11
	}
// %bb.1:
	{
		p0 = cmp.gtu(r1,#7)
	}
	{
		r3 = and(r1,#7)
	}
	{
		r4 = #0
	}
	{
		if (!p0) jump:nt .LBB4_5
	}
// %bb.2:
	{
		r5 = and(r1,##2147483640)
	}
	{
		r1 = add(r2,#16)
	}
	{
		r4 = add(r4,#8)
	}
	{
		r6 = memw(r1+#-16)
	}
	{
		r5 = lsr(r5,#3)
	}
	{
		r8 = memw(r1+#-8)
	}
	{
		r7 = memw(r1+#-12)
	}
	{
		p0 = cmp.gtu(r5,#1)
	}
	{
		r5 = add(r5,#-1)
	}
	{
		r0 += sfmpy(r6,r6)
	}
	{
		r6 = memw(r1+#-4)
	}
	{
		r0 += sfmpy(r7,r7)
	}
	{
		r7 = memw(r1+#0)
	}
	{
		r0 += sfmpy(r8,r8)
	}
	{
		r0 += sfmpy(r6,r6)
	}
	{
		r6 = memw(r1+#4)
	}
	{
		r0 += sfmpy(r7,r7)
	}
	{
		r7 = memw(r1+#8)
	}
	{
		r0 += sfmpy(r6,r6)
	}
	{
		r6 = memw(r1+#12)
	}
	{
		r1 = add(r1,#32)
	}
	{
		r0 += sfmpy(r7,r7)
	}
	{
		loop0(.LBB4_3,r5)
	}
	{
		if (!p0) jump:nt .LBB4_4
	}
	.p2align	4
.LBB4_3:                                // =>This Inner Loop Header: Depth=1
	{
		r0 += sfmpy(r6,r6)
	}
	{
		r5 = memw(r1+#-16)
	}
	{
		r4 = add(r4,#8)
	}
	{
		r7 = memw(r1+#-8)
	}
	{
		r6 = memw(r1+#-12)
	}
	{
		r0 += sfmpy(r5,r5)
	}
	{
		r5 = memw(r1+#-4)
	}
	{
		r0 += sfmpy(r6,r6)
	}
	{
		r6 = memw(r1+#0)
	}
	{
		r0 += sfmpy(r7,r7)
	}
	{
		r7 = memw(r1+#8)
	}
	{
		r0 += sfmpy(r5,r5)
	}
	{
		r5 = memw(r1+#4)
	}
	{
		r0 += sfmpy(r6,r6)
	}
	{
		r6 = memw(r1+#12)
	}
	{
		r1 = add(r1,#32)
	}
	{
		r0 += sfmpy(r5,r5)
	}
	{
		r0 += sfmpy(r7,r7)
	}
	{
		nop
		nop
	} :endloop0
.LBB4_4:
	{
		r0 += sfmpy(r6,r6)
	}
.LBB4_5:
	{
		p0 = cmp.eq(r3,#0)
	}
	{
		if (p0) jumpr:nt r31
	}
.LBB4_6:
	{
		r2 = addasl(r2,r4,#2)
	}
	{
		p0 = cmp.gtu(r3,#1)
	}
	{
		r1 = memw(r2++#4)
	}
	{
		if (!p0) jump:nt .LBB4_10
	}
// %bb.7:
	{
		r4 = add(r3,#-2)
	}
	{
		p0 = cmp.gtu(r3,#2)
	}
	{
		r3 = memw(r2++#4)
	}
	{
		loop0(.LBB4_8,r4)
	}
	{
		if (!p0) jump:nt .LBB4_9
	}
	.p2align	4
.LBB4_8:                                // =>This Inner Loop Header: Depth=1
	{
		r0 += sfmpy(r1,r1)
	}
	{
		r1 = r3
	}
	{
		r3 = memw(r2++#4)
	}
	{
		nop
		nop
	} :endloop0
.LBB4_9:
	{
		r0 += sfmpy(r1,r1)
	}
	{
		r1 = r3
	}
.LBB4_10:
	{
		r0 += sfmpy(r1,r1)
	}
.LBB4_11:
	{
		jumpr r31
	}
.Lfunc_end4:
	.size	f4, .Lfunc_end4-f4
                                        // -- End function
	.globl	strl                            // -- Begin function strl
	.p2align	4
	.type	strl,@function
strl:                                   // @strl
// %bb.0:
	{
		r1:0 = combine(r0,#-1)
	}
	.p2align	5
.LBB5_1:                                // =>This Inner Loop Header: Depth=1
	{
		r2 = memb(r1++#1)
	}
	{
		r0 = add(r0,#1)
	}
	{
		p0 = cmp.eq(r2,#0)
	}
	{
		if (!p0) jump:nt .LBB5_1
	}
// %bb.2:
	{
		jumpr r31
	}
.Lfunc_end5:
	.size	strl, .Lfunc_end5-strl
                                        // -- End function
	.globl	sc                              // -- Begin function sc
	.p2align	4
	.type	sc,@function
sc:                                     // @sc
// %bb.0:
	{
		p0 = cmp.gt(r2,#0)
	}
	{
		if (!p0) jump:nt .LBB6_11
	}
// %bb.1:
	{
		p0 = cmp.gtu(r2,#7)
	}
	{
		r3 = and(r2,#7)
	}
	{
		r4 = #0
	}
	{
		if (p0) jump:nt .LBB6_2
	}
.LBB6_5:
	{
		p0 = cmp.eq(r3,#0)
	}
	{
		if (p0) jumpr:nt r31
	}
.LBB6_6:
	{
		r0 = addasl(r0,r4,#1)
	}
	{
		r1 = addasl(r1,r4,#1)
	}
	{
		loop0(.LBB6_7,r3)
	}
	{
		jump .LBB6_7
	}
	.p2align	4
.LBB6_9:                                //   in Loop: Header=BB6_7 Depth=1
	{
		r2 = +mpyi(r2,#3)
	}
.LBB6_10:                               //   in Loop: Header=BB6_7 Depth=1
	{
		memh(r0++#2) = r2
	}
	{
		r1 = add(r1,#2)
	}
	{
		nop
		nop
	} :endloop0
	{
		jump .LBB6_11
	}
.LBB6_7:                                // Block address taken
                                        // =>This Inner Loop Header: Depth=1
	{
		r2 = memh(r1+#0)
	}
	{
		p0 = cmp.gt(r2,#0)
	}
	{
		if (p0) jump:nt .LBB6_9
	}
// %bb.8:                               //   in Loop: Header=BB6_7 Depth=1
	{
		r2 = memuh(r0+#0)
	}
	{
		jump .LBB6_10
	}
.LBB6_11:
	{
		jumpr r31
	}
.LBB6_2:
	{
		r2 = and(r2,##2147483640)
	}
	{
		r5 = add(r1,#8)
	}
	{
		r4 = add(r2,#-8)
	}
	{
		r6 = lsr(r2,#3)
	}
	{
		r2 = add(r0,#8)
	}
	{
		r4 = extractu(r4,#29,#3)
	}
	{
		loop0(.LBB6_3,r6)
	}
	{
		r4 = add(#8,asl(r4,#3))
	}
	{
		jump .LBB6_3
	}
	.p2align	4
.LBB6_33:                               //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = +mpyi(r6,#3)
	}
.LBB6_34:                               //   in Loop: Header=BB6_3 Depth=1
	{
		memh(r2+#6) = r6
	}
	{
		r5 = add(r5,#16)
	}
	{
		r2 = add(r2,#16)
	}
	{
		nop
		nop
	} :endloop0
	{
		jump .LBB6_5
	}
.LBB6_3:                                // Block address taken
                                        // =>This Inner Loop Header: Depth=1
	{
		r6 = memh(r5+#-8)
	}
	{
		p0 = cmp.gt(r6,#0)
	}
	{
		if (!p0) jump:nt .LBB6_12
	}
// %bb.4:                               //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = +mpyi(r6,#3)
	}
	{
		jump .LBB6_13
	}
	.p2align	4
.LBB6_12:                               //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = memuh(r2+#-8)
	}
.LBB6_13:                               //   in Loop: Header=BB6_3 Depth=1
	{
		memh(r2+#-8) = r6
	}
	{
		r6 = memh(r5+#-6)
	}
	{
		p0 = cmp.gt(r6,#0)
	}
	{
		if (!p0) jump:nt .LBB6_14
	}
// %bb.15:                              //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = +mpyi(r6,#3)
	}
	{
		jump .LBB6_16
	}
	.p2align	4
.LBB6_14:                               //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = memuh(r2+#-6)
	}
.LBB6_16:                               //   in Loop: Header=BB6_3 Depth=1
	{
		memh(r2+#-6) = r6
	}
	{
		r6 = memh(r5+#-4)
	}
	{
		p0 = cmp.gt(r6,#0)
	}
	{
		if (!p0) jump:nt .LBB6_17
	}
// %bb.18:                              //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = +mpyi(r6,#3)
	}
	{
		jump .LBB6_19
	}
	.p2align	4
.LBB6_17:                               //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = memuh(r2+#-4)
	}
.LBB6_19:                               //   in Loop: Header=BB6_3 Depth=1
	{
		memh(r2+#-4) = r6
	}
	{
		r6 = memh(r5+#-2)
	}
	{
		p0 = cmp.gt(r6,#0)
	}
	{
		if (!p0) jump:nt .LBB6_20
	}
// %bb.21:                              //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = +mpyi(r6,#3)
	}
	{
		jump .LBB6_22
	}
	.p2align	4
.LBB6_20:                               //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = memuh(r2+#-2)
	}
.LBB6_22:                               //   in Loop: Header=BB6_3 Depth=1
	{
		memh(r2+#-2) = r6
	}
	{
		r6 = memh(r5+#0)
	}
	{
		p0 = cmp.gt(r6,#0)
	}
	{
		if (!p0) jump:nt .LBB6_23
	}
// %bb.24:                              //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = +mpyi(r6,#3)
	}
	{
		jump .LBB6_25
	}
	.p2align	4
.LBB6_23:                               //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = memuh(r2+#0)
	}
.LBB6_25:                               //   in Loop: Header=BB6_3 Depth=1
	{
		memh(r2+#0) = r6
	}
	{
		r6 = memh(r5+#2)
	}
	{
		p0 = cmp.gt(r6,#0)
	}
	{
		if (!p0) jump:nt .LBB6_26
	}
// %bb.27:                              //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = +mpyi(r6,#3)
	}
	{
		jump .LBB6_28
	}
	.p2align	4
.LBB6_26:                               //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = memuh(r2+#2)
	}
.LBB6_28:                               //   in Loop: Header=BB6_3 Depth=1
	{
		memh(r2+#2) = r6
	}
	{
		r6 = memh(r5+#4)
	}
	{
		p0 = cmp.gt(r6,#0)
	}
	{
		if (!p0) jump:nt .LBB6_29
	}
// %bb.30:                              //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = +mpyi(r6,#3)
	}
	{
		jump .LBB6_31
	}
	.p2align	4
.LBB6_29:                               //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = memuh(r2+#4)
	}
.LBB6_31:                               //   in Loop: Header=BB6_3 Depth=1
	{
		memh(r2+#4) = r6
	}
	{
		r6 = memh(r5+#6)
	}
	{
		p0 = cmp.gt(r6,#0)
	}
	{
		if (p0) jump:nt .LBB6_33
	}
// %bb.32:                              //   in Loop: Header=BB6_3 Depth=1
	{
		r6 = memuh(r2+#6)
	}
	{
		jump .LBB6_34
	}
.Lfunc_end6:
	.size	sc, .Lfunc_end6-sc
                                        // -- End function
	.globl	nest                            // -- Begin function nest
	.p2align	4
	.type	nest,@function
nest:                                   // @nest
// %bb.0:
	{
		p0 = cmp.gt(r1,#0)
	}
	{
		r3 = #0
	}
	{
		if (!p0) r0 = add(r3,#0)
	}
	{
		if (!p0) jumpr:nt r31
	}
.LBB7_1:
	{
		r4 = and(r2,#7)
	}
	{
		r7 = and(r2,##2147483640)
	}
	{
		loop1(.LBB7_2,r1)
	}
	{
		r5 = asl(r2,#2)
	}
	{
		r6 = add(r0,#16)
	}
	{
		p0 = cmp.gt(r2,#0)
	}
	{
		p1 = cmp.gtu(r2,#7)
	}
	{
		r1 = sub(#0,r7)
	}
	{
		p2 = cmp.eq(r4,#0)
	}
	{
		jump .LBB7_2
	}
.LBB7_10:                               //   in Loop: Header=BB7_2 Depth=1
	{
		r3 += mpyi(r8,r2)
	}
	{
		r2 = add(r2,#1)
	}
	{
		r8 = r9
	}
.LBB7_11:                               //   in Loop: Header=BB7_2 Depth=1
	{
		r3 += mpyi(r8,r2)
	}
.LBB7_12:                               //   in Loop: Header=BB7_2 Depth=1
	{
		r6 = add(r6,r5)
	}
	{
		r0 = add(r0,r5)
	}
	{
		nop
		nop
		nop
	} :endloop1
	{
		jump .LBB7_13
	}
.LBB7_2:                                // Block address taken
                                        // =>This Loop Header: Depth=1
                                        //     Child Loop BB7_4 Depth 2
                                        //     Child Loop BB7_9 Depth 2
	{
		if (!p0) jump:nt .LBB7_12
	}
// %bb.3:                               //   in Loop: Header=BB7_2 Depth=1
	{
		r7 = #7
	}
	{
		r2 = #0
	}
	{
		r8 = r6
	}
	{
		if (!p1) jump:nt .LBB7_6
	}
	.p2align	4
.LBB7_4:                                //   Parent Loop BB7_2 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	{
		r2 = memw(r8+#-16)
	}
	{
		r9 = add(r7,#-7)
	}
	{
		r13 = add(r7,#-6)
	}
	{
		r14 = memw(r8+#-8)
	}
	{
		r12 = memw(r8+#-12)
	}
	{
		r10 = add(r7,#-4)
	}
	{
		r11 = memw(r8+#0)
	}
	{
		r3 += mpyi(r2,r9)
	}
	{
		r2 = add(r7,#-5)
	}
	{
		r9 = memw(r8+#-4)
	}
	{
		r28 = memw(r8+#4)
	}
	{
		r3 += mpyi(r12,r13)
	}
	{
		r3 += mpyi(r14,r2)
	}
	{
		r2 = add(r7,#-3)
	}
	{
		r3 += mpyi(r9,r10)
	}
	{
		r9 = add(r7,#-2)
	}
	{
		r10 = memw(r8+#8)
	}
	{
		r3 += mpyi(r11,r2)
	}
	{
		r11 = memw(r8+#12)
	}
	{
		r2 = add(r7,#-1)
	}
	{
		r8 = add(r8,#32)
	}
	{
		r3 += mpyi(r28,r9)
	}
	{
		r3 += mpyi(r10,r2)
	}
	{
		r3 += mpyi(r11,r7)
	}
	{
		r7 = add(r7,#8)
	}
	{
		r2 = add(r1,r7)
	}
	{
		p3 = cmp.eq(r2,#7)
	}
	{
		if (!p3) jump:nt .LBB7_4
	}
// %bb.5:                               //   in Loop: Header=BB7_2 Depth=1
	{
		r2 = add(r7,#-7)
	}
.LBB7_6:                                //   in Loop: Header=BB7_2 Depth=1
	{
		if (p2) jump:nt .LBB7_12
	}
// %bb.7:                               //   in Loop: Header=BB7_2 Depth=1
	{
		r7 = addasl(r0,r2,#2)
	}
	{
		p3 = cmp.gtu(r4,#1)
	}
	{
		r8 = memw(r7++#4)
	}
	{
		if (!p3) jump:nt .LBB7_11
	}
// %bb.8:                               //   in Loop: Header=BB7_2 Depth=1
	{
		r12 = add(r4,#-2)
	}
	{
		p3 = cmp.gtu(r4,#2)
	}
	{
		r9 = memw(r7++#4)
	}
	{
		loop0(.LBB7_9,r12)
	}
	{
		if (!p3) jump:nt .LBB7_10
	}
	.p2align	5
.LBB7_9:                                //   Parent Loop BB7_2 Depth=1
                                        // =>  This Inner Loop Header: Depth=2
	{
		r3 += mpyi(r8,r2)
	}
	{
		r8 = r9
	}
	{
		r2 = add(r2,#1)
	}
	{
		r9 = memw(r7++#4)
	}
	{
		nop
		nop
	} :endloop0
	{
		jump .LBB7_10
	}
.LBB7_13:
	{
		r0 = r3
	}
	{
		jumpr r31
	}
.Lfunc_end7:
	.size	nest, .Lfunc_end7-nest
                                        // -- End function
	.globl	cp                              // -- Begin function cp
	.p2align	4
	.type	cp,@function
cp:                                     // @cp
// %bb.0:
	{
		p0 = cmp.gt(r2,#0)
	}
	{
		if (!p0) jump:nt .LBB8_11
	}
// %bb.1:
	{
		p0 = cmp.gtu(r2,#3)
	}
	{
		r3 = and(r2,#3)
	}
	{
		r4 = #0
	}
	{
		if (p0) jump:nt .LBB8_2
	}
.LBB8_5:
	{
		p0 = cmp.eq(r3,#0)
	}
	{
		if (p0) jumpr:nt r31
	}
.LBB8_6:
	{
		r2 = +mpyi(r4,#12)
	}
	{
		loop0(.LBB8_7,r3)
	}
	{
		r0 = add(r2,add(r0,#4))
	}
	{
		r1 = add(r1,r2)
	}
	{
		jump .LBB8_7
	}
	.p2align	4
.LBB8_9:                                //   in Loop: Header=BB8_7 Depth=1
	{
		r2 = memw(r1+#8)
	}
	{
		memw(r0+#4) = r2
	}
	{
		r2 = memw(r1+#4)
	}
	{
		memw(r0+#0) = r2
	}
	{
		r3 = memw(r1+#0)
	}
	{
		memw(r0+#-4) = r3
	}
.LBB8_10:                               //   in Loop: Header=BB8_7 Depth=1
	{
		r2 = setbit(r2,#2)
	}
	{
		r1 = add(r1,#12)
	}
	{
		memw(r0++#12) = r2
	}
	{
		nop
		nop
	} :endloop0
	{
		jump .LBB8_11
	}
.LBB8_7:                                // Block address taken
                                        // =>This Inner Loop Header: Depth=1
	{
		r3 = memw(r1+#0)
	}
	{
		r2 = memw(r0+#0)
	}
	{
		p0 = cmp.gt(r3,r2)
	}
	{
		if (p0) jump:nt .LBB8_9
	}
// %bb.8:                               //   in Loop: Header=BB8_7 Depth=1
	{
		memb(r0+#4) += #1
	}
	{
		jump .LBB8_10
	}
.LBB8_11:
	{
		jumpr r31
	}
.LBB8_2:
	{
		r2 = and(r2,##2147483644)
	}
	{
		r5 = add(r0,#44)
	}
	{
		r4 = add(r2,#-4)
	}
	{
		r6 = lsr(r2,#2)
	}
	{
		r2 = add(r1,#24)
	}
	{
		r4 = extractu(r4,#30,#2)
	}
	{
		loop0(.LBB8_3,r6)
	}
	{
		r4 = add(#4,asl(r4,#2))
	}
	{
		jump .LBB8_3
	}
	.p2align	4
.LBB8_21:                               //   in Loop: Header=BB8_3 Depth=1
	{
		r7 = add(r2,#12)
	}
	{
		r6 = memw(r7+#8)
	}
	{
		memw(r5+#0) = r6
	}
	{
		r6 = memw(r7+#4)
	}
	{
		memw(r5+#-4) = r6
	}
	{
		r7 = memw(r7+#0)
	}
	{
		memw(r5+#-8) = r7
	}
.LBB8_22:                               //   in Loop: Header=BB8_3 Depth=1
	{
		r6 = setbit(r6,#2)
	}
	{
		memw(r5+#-4) = r6
	}
	{
		r2 = add(r2,#48)
	}
	{
		r5 = add(r5,#48)
	}
	{
		nop
		nop
	} :endloop0
	{
		jump .LBB8_5
	}
.LBB8_3:                                // Block address taken
                                        // =>This Inner Loop Header: Depth=1
	{
		r6 = memw(r2+#-24)
	}
	{
		r7 = memw(r5+#-40)
	}
	{
		p0 = cmp.gt(r6,r7)
	}
	{
		if (!p0) jump:nt .LBB8_12
	}
// %bb.4:                               //   in Loop: Header=BB8_3 Depth=1
	{
		r6 = add(r2,#-24)
	}
	{
		r7 = memw(r6+#8)
	}
	{
		memw(r5+#-36) = r7
	}
	{
		r7 = memw(r6+#4)
	}
	{
		memw(r5+#-40) = r7
	}
	{
		r6 = memw(r6+#0)
	}
	{
		memw(r5+#-44) = r6
	}
	{
		jump .LBB8_13
	}
	.p2align	4
.LBB8_12:                               //   in Loop: Header=BB8_3 Depth=1
	{
		r6 = add(r5,#-36)
	}
	{
		memb(r6+#0) += #1
	}
.LBB8_13:                               //   in Loop: Header=BB8_3 Depth=1
	{
		r8 = memw(r2+#-12)
	}
	{
		r7 = setbit(r7,#2)
	}
	{
		r6 = memw(r5+#-28)
	}
	{
		p0 = cmp.gt(r8,r6)
	}
	{
		memw(r5+#-40) = r7
	}
	{
		if (!p0) jump:nt .LBB8_14
	}
// %bb.15:                              //   in Loop: Header=BB8_3 Depth=1
	{
		r7 = add(r2,#-12)
	}
	{
		r6 = memw(r7+#8)
	}
	{
		memw(r5+#-24) = r6
	}
	{
		r6 = memw(r7+#4)
	}
	{
		memw(r5+#-28) = r6
	}
	{
		r7 = memw(r7+#0)
	}
	{
		memw(r5+#-32) = r7
	}
	{
		jump .LBB8_16
	}
	.p2align	4
.LBB8_14:                               //   in Loop: Header=BB8_3 Depth=1
	{
		r7 = add(r5,#-24)
	}
	{
		memb(r7+#0) += #1
	}
.LBB8_16:                               //   in Loop: Header=BB8_3 Depth=1
	{
		r8 = memw(r2+#0)
	}
	{
		r6 = setbit(r6,#2)
	}
	{
		r7 = memw(r5+#-16)
	}
	{
		p0 = cmp.gt(r8,r7)
	}
	{
		memw(r5+#-28) = r6
	}
	{
		if (!p0) jump:nt .LBB8_17
	}
// %bb.18:                              //   in Loop: Header=BB8_3 Depth=1
	{
		r6 = memw(r2+#8)
	}
	{
		memw(r5+#-12) = r6
	}
	{
		r7 = memw(r2+#4)
	}
	{
		memw(r5+#-16) = r7
	}
	{
		r6 = memw(r2+#0)
	}
	{
		memw(r5+#-20) = r6
	}
	{
		jump .LBB8_19
	}
	.p2align	4
.LBB8_17:                               //   in Loop: Header=BB8_3 Depth=1
	{
		r6 = add(r5,#-12)
	}
	{
		memb(r6+#0) += #1
	}
.LBB8_19:                               //   in Loop: Header=BB8_3 Depth=1
	{
		r8 = memw(r2+#12)
	}
	{
		r7 = setbit(r7,#2)
	}
	{
		r6 = memw(r5+#-4)
	}
	{
		p0 = cmp.gt(r8,r6)
	}
	{
		memw(r5+#-16) = r7
	}
	{
		if (p0) jump:nt .LBB8_21
	}
// %bb.20:                              //   in Loop: Header=BB8_3 Depth=1
	{
		memb(r5+#0) += #1
	}
	{
		jump .LBB8_22
	}
.Lfunc_end8:
	.size	cp, .Lfunc_end8-cp
                                        // -- End function
	.globl	dv                              // -- Begin function dv
	.p2align	4
	.type	dv,@function
dv:                                     // @dv
// %bb.0:
	{
		allocframe(r29,#0):raw
	}
	{
		call __hexagon_udivsi3
	}
	{
		r31:30 = dealloc_return(r30):raw
	}
.Lfunc_end9:
	.size	dv, .Lfunc_end9-dv
                                        // -- End function
	.globl	tern                            // -- Begin function tern
	.p2align	4
	.type	tern,@function
tern:                                   // @tern
// %bb.0:
	{
		p0 = cmp.gt(r0,r1)
	}
	{
		if (!p0) jump:nt .LBB10_3
	}
// %bb.1:
	{
		p0 = cmp.gt(r1,r2)
	}
	{
		if (!p0) jump:nt .LBB10_3
	}
// %bb.2:
	{
		r1 = #0
	}
	{
		jump ext
	}
.LBB10_3:
	{
		r1 = add(pc,##_GLOBAL_OFFSET_TABLE_@PCREL)
	}
	{
		r0 = r2
	}
	{
		r1 = memw(r1+##g@GOT)
	}
	{
		jump ext
	}
.Lfunc_end10:
	.size	tern, .Lfunc_end10-tern
                                        // -- End function
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym g
