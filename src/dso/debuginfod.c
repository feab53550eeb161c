/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files from debuginfod servers, by build-id, if DEBUGINFOD_URLS is set. The library is loaded on
 * first use, since it pulls in libcurl. It caches files, and what servers do not have.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "dso/dso.h"
#include "ptui/log.h"

#ifdef HAVE_DEBUGINFOD

#include <dlfcn.h>
#include <elfutils/debuginfod.h>

static struct {
	pthread_once_t once;
	void *handle;
	__typeof__(debuginfod_begin) *begin;
	__typeof__(debuginfod_end) *end;
	__typeof__(debuginfod_find_debuginfo) *find_debuginfo;
	__typeof__(debuginfod_find_executable) *find_executable;
	__typeof__(debuginfod_set_progressfn) *set_progressfn;
	__typeof__(debuginfod_set_user_data) *set_user_data;
	__typeof__(debuginfod_get_user_data) *get_user_data;
} lib = { .once = PTHREAD_ONCE_INIT };

static void load_library(void)
{
	const struct {
		const char *name;
		void *at;
	} functions[] = {
		{ "debuginfod_begin", &lib.begin },
		{ "debuginfod_end", &lib.end },
		{ "debuginfod_find_debuginfo", &lib.find_debuginfo },
		{ "debuginfod_find_executable", &lib.find_executable },
		{ "debuginfod_set_progressfn", &lib.set_progressfn },
		{ "debuginfod_set_user_data", &lib.set_user_data },
		{ "debuginfod_get_user_data", &lib.get_user_data },
	};
	void *handle = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!handle) {
		ptui_log(PTUI_LOG_WARN, "dso",
			 _("DEBUGINFOD_URLS is set, but libdebuginfod cannot be loaded: %s"),
			 dlerror());
		return;
	}
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *symbol = dlsym(handle, functions[i].name);

		if (!symbol) {
			dlclose(handle);
			return;
		}
		memcpy(functions[i].at, &symbol, sizeof(symbol));
	}
	lib.handle = handle;
}

bool dso_debuginfod_enabled(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	if (!urls || !urls[strspn(urls, " ")])
		return false;
	pthread_once(&lib.once, load_library);
	return lib.handle != NULL;
}

struct fetch {
	int (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
	bool cancelled;
};

static int fetch_progress(debuginfod_client *client, long done, long total)
{
	struct fetch *f = lib.get_user_data(client);

	f->cancelled |= f->progress && f->progress(f->ctx, done > 0 ? (uint64_t)done : 0,
						   total > 0 ? (uint64_t)total : 0);
	return f->cancelled;
}

int dso_debuginfod_fetch(const uint8_t *id, uint8_t bytes, bool executable,
			 int (*progress)(void *ctx, uint64_t done, uint64_t total), void *ctx,
			 char **ret_path)
{
	struct fetch f = { .progress = progress, .ctx = ctx };
	debuginfod_client *client;
	int fd;

	*ret_path = NULL;
	if (!bytes || !dso_debuginfod_enabled())
		return -ENOENT;
	client = lib.begin();
	if (!client)
		return -ENOMEM;
	lib.set_user_data(client, &f);
	lib.set_progressfn(client, fetch_progress);
	fd = (executable ? lib.find_executable : lib.find_debuginfo)(client, id, bytes, ret_path);
	lib.end(client);
	if (fd >= 0 && !f.cancelled)
		return fd;
	if (fd >= 0)
		close(fd);
	free(*ret_path);
	*ret_path = NULL;
	return f.cancelled ? -ECANCELED : fd;
}

#else

bool dso_debuginfod_enabled(void)
{
	return false;
}

int dso_debuginfod_fetch(const uint8_t *id, uint8_t bytes, bool executable,
			 int (*progress)(void *ctx, uint64_t done, uint64_t total), void *ctx,
			 char **ret_path)
{
	(void)id;
	(void)bytes;
	(void)executable;
	(void)progress;
	(void)ctx;
	*ret_path = NULL;
	return -ENOENT;
}

#endif
