	.text
	.attribute	4, 66	// Tag_arch
	.attribute	5, 66	// Tag_hvx_arch
	.attribute	8, 1	// Tag_zreg
	.attribute	10, 1	// Tag_cabac
	.file	"kernels.c"
	.globl	addrelu                         // -- Begin function addrelu
	.p2align	4
	.type	addrelu,@function
addrelu:                                // @addrelu
// %bb.0:
	{
		p0 = cmp.gt(r3,#0); if (!p0.new) jump:nt .LBB0_7
	}
// %bb.1:
	{
		r4 = and(r3,#7)
		r5 = #0
		p0 = cmp.gtu(r3,#7); if (!p0.new) jump:t .LBB0_4
	}
// %bb.2:
	{
		r5 = and(r3,##2147483640)
		r3 = add(r2,#3)
		r6 = add(r1,#3)
	}
	{
		r9 = lsr(r5,#3)
		r8 = #255
		r7 = add(r5,#-8)
	}
	{
		loop0(.LBB0_3,r9)
		r5 = extractu(r7,#29,#3)
		r7 = add(r0,#3)
	}
	{
		r5 = add(#8,asl(r5,#3))
	}
	.p2align	4
.LBB0_3:                                // Block address taken
                                        // =>This Inner Loop Header: Depth=1
	{
		r9 = memub(r7+#-3)
		r12 = memub(r6+#-3)
	}
	{
		r9 = add(r12,r9)
	}
	{
		r9 = minu(r9,r8)
		memb(r3+#-3) = r9.new
	}
	{
		r9 = memub(r7+#-2)
		r10 = memub(r6+#-2)
	}
	{
		r9 = add(r10,r9)
	}
	{
		r9 = minu(r9,r8)
		memb(r3+#-2) = r9.new
	}
	{
		r9 = memub(r7+#-1)
		r11 = memub(r6+#-1)
	}
	{
		r9 = add(r11,r9)
	}
	{
		r9 = minu(r9,r8)
		memb(r3+#-1) = r9.new
	}
	{
		r9 = memub(r7+#0)
		r14 = memub(r6+#0)
	}
	{
		r9 = add(r14,r9)
	}
	{
		r9 = minu(r9,r8)
		memb(r3+#0) = r9.new
	}
	{
		r9 = memub(r7+#1)
		r15 = memub(r6+#1)
	}
	{
		r9 = add(r15,r9)
	}
	{
		r9 = minu(r9,r8)
		memb(r3+#1) = r9.new
	}
	{
		r9 = memub(r7+#2)
		r28 = memub(r6+#2)
	}
	{
		r9 = add(r28,r9)
	}
	{
		r9 = minu(r9,r8)
		memb(r3+#2) = r9.new
	}
	{
		r9 = memub(r7+#3)
		r10 = memub(r6+#3)
	}
	{
		r9 = add(r10,r9)
	}
	{
		r9 = minu(r9,r8)
		memb(r3+#3) = r9.new
	}
	{
		r7 = add(r7,#8)
		r6 = add(r6,#8)
		r9 = memub(r7+#4)
		r11 = memub(r6+#4)
	}
	{
		r9 = add(r11,r9)
	}
	{
		r9 = minu(r9,r8)
		r3 = add(r3,#8)
		memb(r3+#4) = r9.new
	} :endloop0
.LBB0_4:
	{
		p0 = cmp.eq(r4,#0)
		if (p0.new) jumpr:nt r31
	}
.LBB0_5:
	{
		r1 = add(r1,r5)
		r3 = #255
		r2 = add(r2,r5)
		r0 = add(r0,r5)
	}
	{
		loop0(.LBB0_6,r4)
	}
	.p2align	5
.LBB0_6:                                // Block address taken
                                        // =>This Inner Loop Header: Depth=1
	{
		r4 = memub(r0++#1)
		r5 = memub(r1++#1)
	}
	{
		r4 = add(r5,r4)
	}
	{
		r4 = minu(r4,r3)
		memb(r2++#1) = r4.new
	} :endloop0
.LBB0_7:
	{
		jumpr r31
	}
.Lfunc_end0:
	.size	addrelu, .Lfunc_end0-addrelu
                                        // -- End function
	.globl	sum                             // -- Begin function sum
	.p2align	4
	.type	sum,@function
sum:                                    // @sum
// %bb.0:
	{
		r2 = #0
		p0 = cmp.gt(r1,#0); if (!p0.new) jump:nt .LBB1_8
	}
// %bb.1:
	{
		r3 = and(r1,#7)
		r4 = #0
		p0 = cmp.gtu(r1,#7); if (!p0.new) jump:t .LBB1_4
	}
// %bb.2:
	{
		r1 = and(r1,##2147483640)
	}
	{
		r2 = lsr(r1,#3)
		r1 = add(r0,#16)
	}
	{
		loop0(.LBB1_3,r2)
		r2 = #0
	}
	.p2align	4
.LBB1_3:                                // Block address taken
                                        // =>This Inner Loop Header: Depth=1
	{
		r6 = asl(r2,#1)
		r4 = add(r4,#8)
		r5 = memw(r1+#-16)
		r8 = memw(r1+#-8)
	}
	{
		p0 = cmp.gt(r5,#3)
		p1 = cmp.gt(r8,#3)
		r7 = memw(r1+#-12)
		r9 = memw(r1+#-4)
	}
	{
		if (p0) r6 = add(r5,#0)
		p2 = cmp.gt(r7,#3)
		p0 = cmp.gt(r9,#3)
		r5 = memw(r1+#0)
	}
	{
		r2 = add(r6,r2)
	}
	{
		r6 = asl(r2,#1)
	}
	{
		if (p2) r6 = add(r7,#0)
	}
	{
		r2 = add(r6,r2)
	}
	{
		r6 = asl(r2,#1)
	}
	{
		if (p1) r6 = add(r8,#0)
	}
	{
		r2 = add(r6,r2)
	}
	{
		r6 = asl(r2,#1)
	}
	{
		if (p0) r6 = add(r9,#0)
		p0 = cmp.gt(r5,#3)
	}
	{
		r2 = add(r6,r2)
	}
	{
		r6 = asl(r2,#1)
	}
	{
		if (p0) r6 = add(r5,#0)
		r5 = memw(r1+#4)
	}
	{
		r2 = add(r6,r2)
		p0 = cmp.gt(r5,#3)
	}
	{
		r6 = asl(r2,#1)
	}
	{
		if (p0) r6 = add(r5,#0)
		r5 = memw(r1+#8)
	}
	{
		r2 = add(r6,r2)
		p0 = cmp.gt(r5,#3)
	}
	{
		r6 = asl(r2,#1)
	}
	{
		if (p0) r6 = add(r5,#0)
		r1 = add(r1,#32)
		r5 = memw(r1+#12)
	}
	{
		r2 = add(r6,r2)
		p0 = cmp.gt(r5,#3)
	}
	{
		r6 = asl(r2,#1)
	}
	{
		if (p0) r6 = add(r5,#0)
	}
	{
		r2 = add(r6,r2)
		nop
	} :endloop0
.LBB1_4:
	{
		if (p0.new) r0 = add(r2,#0)
		p0 = cmp.eq(r3,#0)
		if (p0.new) jumpr:nt r31
	}
.LBB1_5:
	{
		r0 = addasl(r0,r4,#2)
		r1 = asl(r2,#1)
		p0 = cmp.gtu(r3,#1)
		r3 = add(r3,#-1)
	}
	{
		loop0(.LBB1_6,r3)
	}
	{
		r4 = memw(r0++#4)
	}
	{
		p1 = cmp.gt(r4,#3)
		if (p1.new) r1 = add(r4,#0)
		if (!p0) jump:nt .LBB1_7
	}
	.p2align	5
.LBB1_6:                                // =>This Inner Loop Header: Depth=1
	{
		r2 = add(r1,r2)
		r3 = memw(r0++#4)
	}
	{
		r1 = asl(r2,#1)
		p0 = cmp.gt(r3,#3)
	}
	{
		if (p0) r1 = add(r3,#0)
		nop
	} :endloop0
.LBB1_7:
	{
		r2 = add(r1,r2)
	}
.LBB1_8:
	{
		r0 = r2
		jumpr r31
	}
.Lfunc_end1:
	.size	sum, .Lfunc_end1-sum
                                        // -- End function
	.globl	gemm                            // -- Begin function gemm
	.p2align	4
	.type	gemm,@function
gemm:                                   // @gemm
// %bb.0:
	{
		p0 = cmp.gt(r3,#0)
		v0 = vxor(v0,v0)
		memd(r29+#-16) = r17:16
		allocframe(#8)
	}                                       // 8-byte Folded Spill
	{
		if (!p0) jump:nt .LBB2_1
	}
// %bb.2:
	{
		r4 = and(r3,#7)
		r5 = #0
		p0 = cmp.gtu(r3,#7); if (p0.new) jump:t .LBB2_9
	}
// %bb.3:
	{
		p0 = cmp.eq(r4,#0); if (!p0.new) jump:t .LBB2_5
		v1 = v0
	}
	{
		jump .LBB2_8
	}
.LBB2_1:
	{
		jump .LBB2_8
		v1 = v0
	}
.LBB2_9:
	{
		r12 = add(r0,#512)
		r7 = add(r1,#32)
		v1 = v0
	}
	{
		r5 = and(r3,##2147483640)
		r8 = memw(r7+#-32)
	}
	{
		r6 = lsr(r5,#3)
		r3 = #0
		r9 = memw(r7+#-28)
		v2 = vmem(r12+#-4)
	}
	{
		v1.w += vrmpy(v2.ub,r8.b)
		p0 = cmp.gtu(r6,#1)
		r8 = memw(r7+#-24)
		v3 = vmem(r12+#-3)
	}
	{
		v0.w += vrmpy(v2.ub,r9.b)
		r6 = add(r6,#-1)
		r9 = memw(r7+#-20)
		v2 = vmem(r12+#-2)
	}
	{
		v1.w += vrmpy(v3.ub,r8.b)
		r5 = add(r3,#8)
		r8 = memw(r7+#-16)
		r13 = memw(r7+#-12)
	}
	{
		v0.w += vrmpy(v3.ub,r9.b)
		v1.w += vrmpy(v2.ub,r8.b)
		r14 = memw(r7+#-8)
		v3 = vmem(r12+#-1)
	}
	{
		v0.w += vrmpy(v2.ub,r13.b)
		v1.w += vrmpy(v3.ub,r14.b)
		r15 = memw(r7+#-4)
		r28 = memw(r7+#0)
	}
	{
		loop0(.LBB2_10,r6)
		r3 = add(r7,#64)
		r11 = memw(r7+#8)
		v2 = vmem(r12+#0)
	}
	{
		v0.w += vrmpy(v3.ub,r15.b)
		v1.w += vrmpy(v2.ub,r28.b)
		r10 = memw(r7+#4)
		v3 = vmem(r12+#1)
	}
	{
		v0.w += vrmpy(v2.ub,r10.b)
		v1.w += vrmpy(v3.ub,r11.b)
		r16 = memw(r7+#12)
		r17 = memw(r7+#16)
	}
	{
		r6 = add(r12,#1024)
		r8 = r7
		r13 = memw(r7+#20)
		v2 = vmem(r12+#2)
	}
	{
		v0.w += vrmpy(v3.ub,r16.b)
		v1.w += vrmpy(v2.ub,r17.b)
		r9 = memw(r7+#24)
		v4 = vmem(r12+#3)
	}
	{
		if (!p0) jump:nt .LBB2_11
	}
	.p2align	4
.LBB2_10:                               // =>This Inner Loop Header: Depth=1
	{
		v0.w += vrmpy(v2.ub,r13.b)
		v1.w += vrmpy(v4.ub,r9.b)
		r8 = r3
		r3 = memw(r7+#28)
	}
	{
		v0.w += vrmpy(v4.ub,r3.b)
		r3 = add(r8,#64)
		r7 = memw(r8+#-32)
		v2 = vmem(r6+#-4)
	}
	{
		v1.w += vrmpy(v2.ub,r7.b)
		r5 = add(r5,#8)
		r9 = memw(r8+#-28)
		v3 = vmem(r6+#-3)
	}
	{
		v0.w += vrmpy(v2.ub,r9.b)
		r7 = memw(r8+#-24)
		r12 = memw(r8+#-16)
	}
	{
		v1.w += vrmpy(v3.ub,r7.b)
		r7 = memw(r8+#-20)
		v5 = vmem(r6+#-2)
	}
	{
		v0.w += vrmpy(v3.ub,r7.b)
		v1.w += vrmpy(v5.ub,r12.b)
		r7 = memw(r8+#-12)
		r9 = memw(r8+#-8)
	}
	{
		v1.w += vrmpy(v2.ub,r9.b)
		v0.w += vrmpy(v5.ub,r7.b)
		r9 = memw(r8+#0)
		v2.cur = vmem(r6+#-1)
	}
	{
		v1.w += vrmpy(v4.ub,r9.b)
		r12 = memw(r8+#-4)
		v4.cur = vmem(r6+#0)
	}
	{
		v0.w += vrmpy(v2.ub,r12.b)
		r7 = memw(r8+#8)
		v3 = vmem(r6+#1)
	}
	{
		v1.w += vrmpy(v3.ub,r7.b)
		r7 = r8
		r15 = memw(r8+#4)
		r12 = memw(r8+#16)
	}
	{
		v0.w += vrmpy(v4.ub,r15.b)
		v1.w += vrmpy(v2.ub,r12.b)
		r14 = memw(r8+#12)
		v2.cur = vmem(r6+#2)
	}
	{
		v0.w += vrmpy(v3.ub,r14.b)
		r6 = add(r6,#1024)
		r9 = memw(r8+#24)
		v4 = vmem(r6+#3)
	}
	{
		nop
		r13 = memw(r8+#20)
	} :endloop0
.LBB2_11:
	{
		v0.w += vrmpy(v2.ub,r13.b)
		v1.w += vrmpy(v4.ub,r9.b)
		r3 = memw(r8+#28)
	}
	{
		v0.w += vrmpy(v4.ub,r3.b)
		p0 = cmp.eq(r4,#0); if (p0.new) jump:nt .LBB2_8
	}
.LBB2_5:
	{
		r0 = addasl(r0,r5,#7)
		r3 = asl(r5,#3)
		r6 = add(r4,#-1)
		p0 = cmp.gtu(r4,#1)
	}
	{
		loop0(.LBB2_6,r6)
		r5 = add(r3,add(r1,#4))
	}
	{
		r4 = add(r5,#8)
		v2 = vmem(r0++#1)
	}
	{
		if (!p0) jump:nt .LBB2_7
		r3 = memw(r5+#-4)
		r1 = memw(r5+#0)
	}
	.p2align	5
.LBB2_6:                                // =>This Inner Loop Header: Depth=1
	{
		v1.w += vrmpy(v2.ub,r3.b)
		v0.w += vrmpy(v2.ub,r1.b)
		r3 = memw(r4+#-4)
		r1 = memw(r4+#0)
	}
	{
		r4 = add(r4,#8)
		v2 = vmem(r0++#1)
	} :endloop0
.LBB2_7:
	{
		v1.w += vrmpy(v2.ub,r3.b)
		v0.w += vrmpy(v2.ub,r1.b)
	}
.LBB2_8:
	{
		r17:16 = memd(r29+#0)
		vmem(r2+#0) = v1
	}                                       // 8-byte Folded Reload
	{
		vmem(r2+#1) = v0
	}
	{
		r31:30 = dealloc_return(r30):raw
	}
.Lfunc_end2:
	.size	gemm, .Lfunc_end2-gemm
                                        // -- End function
	.globl	scpy                            // -- Begin function scpy
	.p2align	4
	.type	scpy,@function
scpy:                                   // @scpy
// %bb.0:
	{
		r2 = r0
	}
	.p2align	5
.LBB3_1:                                // =>This Inner Loop Header: Depth=1
	{
		r3 = memb(r1++#1)
		memb(r2++#1) = r3.new
	}
	{
		p0 = cmp.eq(r3,#0); if (!p0.new) jump:t .LBB3_1
	}
// %bb.2:
	{
		jumpr r31
	}
.Lfunc_end3:
	.size	scpy, .Lfunc_end3-scpy
                                        // -- End function
	.section	".note.GNU-stack","",@progbits
	.addrsig
