/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The vdso: an ELF image that the kernel maps into every process, including ptui. */
#include <elf.h>
#include <errno.h>
#include <sys/auxv.h>
#include "base/i18n.h"
#include "dso/dso.h"

#if UINTPTR_MAX > UINT32_MAX
typedef Elf64_Ehdr native_ehdr;
typedef Elf64_Phdr native_phdr;
#else
typedef Elf32_Ehdr native_ehdr;
typedef Elf32_Phdr native_phdr;
#endif

static size_t max_bytes(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* The image is the kernel's: its headers are trusted. */
static size_t image_bytes(const char *image)
{
	const native_ehdr *ehdr = (const native_ehdr *)(const void *)image;
	const native_phdr *phdr = (const native_phdr *)(const void *)(image + ehdr->e_phoff);
	size_t n = ehdr->e_shoff + (size_t)ehdr->e_shnum * ehdr->e_shentsize;

	for (size_t i = 0; i < ehdr->e_phnum; i++)
		if (phdr[i].p_type == PT_LOAD)
			n = max_bytes(n, phdr[i].p_offset + phdr[i].p_filesz);
	return n;
}

struct dso_file *dso_vdso_open(const uint8_t *build_id, uint8_t build_id_bytes,
			       struct ptui_error *err)
{
	const char *image = (const char *)getauxval(AT_SYSINFO_EHDR);

	if (!image) {
		ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOENT, "[vdso]",
			       _("this kernel provides no vdso"));
		return NULL;
	}
	return dso_file_open_image("[vdso]", image, image_bytes(image), build_id, build_id_bytes,
				   err);
}
