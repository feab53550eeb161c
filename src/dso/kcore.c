/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of a kernel: /proc/kcore or a copy of it, a core file with a segment per range of addresses. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "dso/dso.h"

#define SEGMENTS_MAX 4096

#if UINTPTR_MAX > UINT32_MAX
typedef Elf64_Ehdr native_ehdr;
typedef Elf64_Phdr native_phdr;
#define NATIVE_CLASS ELFCLASS64
#else
typedef Elf32_Ehdr native_ehdr;
typedef Elf32_Phdr native_phdr;
#define NATIVE_CLASS ELFCLASS32
#endif

/* The offset of n bytes at `addr`. -ENOENT: they are not in the file. */
static int find_bytes(int fd, uint64_t addr, size_t n, uint64_t *ret_off)
{
	native_ehdr ehdr;
	native_phdr phdr;

	if (file_pread_full(fd, &ehdr, sizeof(ehdr), 0) != (ssize_t)sizeof(ehdr) ||
	    memcmp(ehdr.e_ident, ELFMAG, SELFMAG) || ehdr.e_ident[EI_CLASS] != NATIVE_CLASS ||
	    ehdr.e_phentsize != sizeof(phdr) || ehdr.e_phnum > SEGMENTS_MAX)
		return -EBADMSG;
	for (unsigned i = 0; i < ehdr.e_phnum; i++) {
		if (file_pread_full(fd, &phdr, sizeof(phdr),
				    (off_t)(ehdr.e_phoff + i * sizeof(phdr))) !=
		    (ssize_t)sizeof(phdr))
			return -EBADMSG;
		if (phdr.p_type != PT_LOAD || addr < phdr.p_vaddr ||
		    addr - phdr.p_vaddr > phdr.p_filesz ||
		    n > phdr.p_filesz - (addr - phdr.p_vaddr))
			continue;
		*ret_off = phdr.p_offset + (addr - phdr.p_vaddr);
		return 0;
	}
	return -ENOENT;
}

int dso_kcore_read(const char *folder, uint64_t addr, void *bytes, size_t n, uint16_t *ret_machine,
		   struct ptui_error *err)
{
	struct buf path = BUF_INIT;
	native_ehdr ehdr;
	uint64_t off = 0;
	int fd, ret;

	buf_addf(&path, "%s/kcore", folder);
	fd = path.err ? -1 : open(buf_str(&path), O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		ret = path.err ?
			      ptui_error_nomem(err) :
			      ptui_error_errno(err, errno, buf_str(&path),
					       _("cannot read the machine code of the kernel from "
						 "%s"),
					       buf_str(&path));
		buf_release(&path);
		return ret;
	}
	ret = find_bytes(fd, addr, n, &off);
	if (!ret && (file_pread_full(fd, bytes, n, (off_t)off) != (ssize_t)n ||
		     file_pread_full(fd, &ehdr, sizeof(ehdr), 0) != (ssize_t)sizeof(ehdr)))
		ret = -EIO;
	close(fd);
	if (ret)
		ptui_error_errno(err, -ret, buf_str(&path),
				 _("cannot read the machine code of the kernel from %s"),
				 buf_str(&path));
	else
		*ret_machine = ehdr.e_machine;
	buf_release(&path);
	return ret;
}
