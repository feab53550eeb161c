# SPDX-License-Identifier: GPL-2.0-or-later
# annotate_work.c, compiled by gcc 12 -O2 -g: so its code is the same on every machine. @DIR@: the folder of the source.
	.file	"annotate_work.c"
	.text
.Ltext0:
	.cfi_sections	.debug_frame
	.file 0 "@DIR@" "annotate_work.c"
	.p2align 4
	.globl	leaf
	.type	leaf, @function
leaf:
.LFB1:
	.file 1 "annotate_work.c"
	.loc 1 15 1
	.cfi_startproc
	.loc 1 16 2
.LBB7:
.LBB8:
	.loc 1 9 2
	.loc 1 9 9 is_stmt 0
	movl	%edi, %edx
	shrl	$13, %edx
	.loc 1 9 4
	xorl	%edi, %edx
	.loc 1 10 2 is_stmt 1
	.loc 1 10 4 is_stmt 0
	imull	$1540483477, %edx, %edx
	.loc 1 11 2 is_stmt 1
	.loc 1 11 16 is_stmt 0
	movl	%edx, %eax
	shrl	$15, %eax
	.loc 1 11 11
	xorl	%edx, %eax
.LBE8:
.LBE7:
	.loc 1 16 16
	andl	$7, %eax
	.loc 1 17 1
	ret
	.cfi_endproc
.LFE1:
	.size	leaf, .-leaf
	.p2align 4
	.globl	work
	.type	work, @function
work:
.LFB2:
	.loc 1 20 1 is_stmt 1
	.cfi_startproc
	.loc 1 21 2
	.loc 1 23 2
.LBB9:
	.loc 1 23 7
	.loc 1 23 25
.LBE9:
	.loc 1 20 1 is_stmt 0
	movl	%edi, %r8d
.LBB12:
	.loc 1 23 25
	testl	%edi, %edi
	je	.L9
	.loc 1 23 16
	xorl	%ecx, %ecx
.LBE12:
	.loc 1 21 11
	xorl	%esi, %esi
	jmp	.L8
	.p2align 4,,10
	.p2align 3
.L11:
.LBB13:
	.loc 1 25 4 is_stmt 1
	.loc 1 25 16 is_stmt 0
	movl	%ecx, %eax
	andl	$1023, %eax
	.loc 1 25 8
	addl	table(,%rax,4), %esi
.L6:
	.loc 1 31 3 is_stmt 1 discriminator 2
	.loc 1 31 20 is_stmt 0 discriminator 2
	movl	%esi, %eax
	.loc 1 23 31 discriminator 2
	addl	$1, %ecx
	.loc 1 31 20 discriminator 2
	andl	$1023, %eax
	addl	$1, table(,%rax,4)
	.loc 1 23 31 is_stmt 1 discriminator 2
	.loc 1 23 25 discriminator 2
	cmpl	%ecx, %r8d
	je	.L3
.L8:
	.loc 1 24 3
	.loc 1 24 6 is_stmt 0
	testb	$1, %cl
	jne	.L11
	.loc 1 26 8 is_stmt 1
	imull	$-1431655765, %ecx, %eax
	.loc 1 26 11 is_stmt 0
	cmpl	$1431655765, %eax
	ja	.L7
	.loc 1 27 4 is_stmt 1
.LBB10:
.LBB11:
	.loc 1 9 2
	.loc 1 9 9 is_stmt 0
	movl	%ecx, %eax
	shrl	$13, %eax
	.loc 1 9 4
	xorl	%ecx, %eax
	.loc 1 10 2 is_stmt 1
	.loc 1 10 4 is_stmt 0
	imull	$1540483477, %eax, %eax
	.loc 1 11 2 is_stmt 1
	.loc 1 11 16 is_stmt 0
	movl	%eax, %edx
	shrl	$15, %edx
	.loc 1 11 11
	xorl	%edx, %eax
.LBE11:
.LBE10:
	.loc 1 27 8
	addl	%eax, %esi
	jmp	.L6
	.p2align 4,,10
	.p2align 3
.L7:
	.loc 1 29 4 is_stmt 1
	.loc 1 29 11 is_stmt 0
	movl	%ecx, %edi
	call	leaf
	.loc 1 29 8
	addl	%eax, %esi
	jmp	.L6
	.p2align 4,,10
	.p2align 3
.L9:
.LBE13:
	.loc 1 21 11
	xorl	%esi, %esi
	.loc 1 33 2 is_stmt 1
.L3:
	.loc 1 34 1 is_stmt 0
	movl	%esi, %eax
	ret
	.cfi_endproc
.LFE2:
	.size	work, .-work
	.p2align 4
	.globl	main
	.type	main, @function
main:
.LFB3:
	.loc 1 37 1 is_stmt 1
	.cfi_startproc
	.loc 1 38 2
	.loc 1 38 14 is_stmt 0
	movl	$1000, %edi
	call	work
	.loc 1 38 25
	andl	$1, %eax
	.loc 1 39 1
	ret
	.cfi_endproc
.LFE3:
	.size	main, .-main
	.globl	table
	.bss
	.align 32
	.type	table, @object
	.size	table, 4096
table:
	.zero	4096
	.text
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x14d
	.value	0x5
	.byte	0x1
	.byte	0x8
	.long	.Ldebug_abbrev0
	.uleb128 0x6
	.long	.LASF6
	.byte	0x1d
	.long	.LASF0
	.long	.LASF1
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.long	.Ldebug_line0
	.uleb128 0x7
	.long	0x45
	.long	0x3f
	.uleb128 0x8
	.long	0x3f
	.value	0x3ff
	.byte	0
	.uleb128 0x1
	.byte	0x8
	.long	.LASF2
	.uleb128 0x1
	.byte	0x4
	.long	.LASF3
	.uleb128 0x9
	.long	.LASF7
	.byte	0x1
	.byte	0x5
	.byte	0xa
	.long	0x2e
	.uleb128 0x9
	.byte	0x3
	.quad	table
	.uleb128 0xa
	.long	.LASF8
	.byte	0x1
	.byte	0x24
	.byte	0x5
	.long	0x7f
	.quad	.LFB3
	.quad	.LFE3-.LFB3
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0xb
	.byte	0x4
	.byte	0x5
	.string	"int"
	.uleb128 0xc
	.long	.LASF4
	.byte	0x1
	.byte	0x13
	.byte	0x24
	.long	0x45
	.quad	.LFB2
	.quad	.LFE2-.LFB2
	.uleb128 0x1
	.byte	0x9c
	.long	0xee
	.uleb128 0x2
	.string	"n"
	.byte	0x13
	.long	0x45
	.uleb128 0x1
	.byte	0x58
	.uleb128 0x3
	.string	"sum"
	.byte	0x15
	.byte	0xb
	.long	0x45
	.uleb128 0x1
	.byte	0x54
	.uleb128 0xd
	.long	.LLRL0
	.uleb128 0x3
	.string	"i"
	.byte	0x17
	.byte	0x10
	.long	0x45
	.uleb128 0x1
	.byte	0x52
	.uleb128 0x4
	.long	0x138
	.quad	.LBB10
	.quad	.LBE10-.LBB10
	.byte	0x1b
	.byte	0xb
	.uleb128 0x5
	.long	0x145
	.byte	0
	.byte	0
	.byte	0
	.uleb128 0xe
	.long	.LASF5
	.byte	0x1
	.byte	0xe
	.byte	0x24
	.long	0x45
	.quad	.LFB1
	.quad	.LFE1-.LFB1
	.uleb128 0x1
	.byte	0x9c
	.long	0x138
	.uleb128 0x2
	.string	"v"
	.byte	0xe
	.long	0x45
	.uleb128 0x1
	.byte	0x55
	.uleb128 0x4
	.long	0x138
	.quad	.LBB7
	.quad	.LBE7-.LBB7
	.byte	0x10
	.byte	0x9
	.uleb128 0x5
	.long	0x145
	.byte	0
	.byte	0
	.uleb128 0xf
	.string	"mix"
	.byte	0x1
	.byte	0x7
	.byte	0x18
	.long	0x45
	.byte	0x3
	.uleb128 0x10
	.string	"x"
	.byte	0x1
	.byte	0x7
	.byte	0x25
	.long	0x45
	.byte	0
	.byte	0
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0x21
	.sleb128 7
	.uleb128 0x3
	.uleb128 0xe
	.byte	0
	.byte	0
	.uleb128 0x2
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0x21
	.sleb128 50
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x1d
	.byte	0x1
	.uleb128 0x31
	.uleb128 0x13
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x58
	.uleb128 0x21
	.sleb128 1
	.uleb128 0x59
	.uleb128 0xb
	.uleb128 0x57
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x5
	.uleb128 0x5
	.byte	0
	.uleb128 0x31
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x6
	.uleb128 0x11
	.byte	0x1
	.uleb128 0x25
	.uleb128 0xe
	.uleb128 0x13
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x1f
	.uleb128 0x1b
	.uleb128 0x1f
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x10
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x7
	.uleb128 0x1
	.byte	0x1
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0x8
	.uleb128 0x21
	.byte	0
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x2f
	.uleb128 0x5
	.byte	0
	.byte	0
	.uleb128 0x9
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0xa
	.uleb128 0x2e
	.byte	0
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7c
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0xb
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x8
	.byte	0
	.byte	0
	.uleb128 0xc
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7c
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xd
	.uleb128 0xb
	.byte	0x1
	.uleb128 0x55
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0xe
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.uleb128 0x1
	.uleb128 0x13
	.byte	0
	.byte	0
	.uleb128 0xf
	.uleb128 0x2e
	.byte	0x1
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x49
	.uleb128 0x13
	.uleb128 0x20
	.uleb128 0xb
	.byte	0
	.byte	0
	.uleb128 0x10
	.uleb128 0x5
	.byte	0
	.uleb128 0x3
	.uleb128 0x8
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x49
	.uleb128 0x13
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_aranges,"",@progbits
	.long	0x2c
	.value	0x2
	.long	.Ldebug_info0
	.byte	0x8
	.byte	0
	.value	0
	.value	0
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.quad	0
	.quad	0
	.section	.debug_rnglists,"",@progbits
.Ldebug_ranges0:
	.long	.Ldebug_ranges3-.Ldebug_ranges2
.Ldebug_ranges2:
	.value	0x5
	.byte	0x8
	.byte	0
	.long	0
.LLRL0:
	.byte	0x4
	.uleb128 .LBB9-.Ltext0
	.uleb128 .LBE9-.Ltext0
	.byte	0x4
	.uleb128 .LBB12-.Ltext0
	.uleb128 .LBE12-.Ltext0
	.byte	0x4
	.uleb128 .LBB13-.Ltext0
	.uleb128 .LBE13-.Ltext0
	.byte	0
.Ldebug_ranges3:
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF3:
	.string	"unsigned int"
.LASF6:
	.string	"GNU C17 12.2.0 -mtune=generic -march=x86-64 -g -gno-variable-location-views -O2 -fno-var-tracking -fno-ipa-cp -fno-if-conversion -fno-if-conversion2 -fno-stack-protector -fcf-protection=none -fno-asynchronous-unwind-tables -fno-pie -fno-reorder-functions"
.LASF2:
	.string	"long unsigned int"
.LASF5:
	.string	"leaf"
.LASF4:
	.string	"work"
.LASF7:
	.string	"table"
.LASF8:
	.string	"main"
	.section	.debug_line_str,"MS",@progbits,1
.LASF0:
	.string	"annotate_work.c"
.LASF1:
	.string	"@DIR@"
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
