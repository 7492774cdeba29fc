// measure(function, arguments, result): calls the function with six words of arguments; result[0..1]
// are r0 and r1 afterwards, result[2] the packets that ran between the two readings. c20 counts
// packets on this emulator; the assembler has no name for it.
	.text
	.globl measure
	.p2align 4
measure:
	{ allocframe(#32) }
	{ memd(r29+#0) = r17:16 }
	{ memd(r29+#8) = r19:18 }
	{ r16 = r2 }
	{ r17 = r0 }
	{ r18 = r1 }
	{ r0 = memw(r18+#0) }
	{ r1 = memw(r18+#4) }
	{ r2 = memw(r18+#8) }
	{ r3 = memw(r18+#12) }
	{ r4 = memw(r18+#16) }
	{ r5 = memw(r18+#20) }
	.word 0x6a14c013  // { r19 = c20 }
	{ callr r17 }
	.word 0x6a14c002  // { r2 = c20 }
	{ r2 = sub(r2,r19) }
	{ memw(r16+#0) = r0 }
	{ memw(r16+#4) = r1 }
	{ memw(r16+#8) = r2 }
	{ r17:16 = memd(r29+#0) }
	{ r19:18 = memd(r29+#8) }
	{ dealloc_return }
	.globl nothing
nothing:
	{ jumpr r31 }
	.globl _start
_start:
	{ r29 = and(r29,#-128) }
	{ jump start }
