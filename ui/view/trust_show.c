/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/trust_show.h"

#include <stdlib.h>

#include "text/i18n.h"
#include "widget/popup.h"

static int key_of(const struct trust_show *show, enum request req)
{
	return keymaps_letter(stack_keys(show->stack), show->map, req);
}

static const char *remedy_text(enum trust_remedy remedy)
{
	return remedy == TRUST_RECORD_UNWOUND ? _("record again with unwound stacks") :
						_("list the DSOs without symbols");
}

/* `index` counts the offered ones only. */
static unsigned chosen(void *ctx, int index)
{
	const struct trust_show *show = ctx;

	if (!stack_has(show->stack, show->ctx))
		return WISH_REDRAW;
	for (int i = 0; i < TRUST_REMEDIES; i++)
		if (key_of(show, show->req[i]) && !index--)
			return show->chosen(show->ctx, (enum trust_remedy)i);
	return WISH_REDRAW;
}

unsigned trust_show(const struct trust_show *show, const struct trust_fact *facts, size_t n)
{
	/* the screen may close below its message, of which there is one at a time */
	static struct trust_show shown;
	struct menu_item actions[TRUST_REMEDIES];
	char *text = n ? trust_text(facts, n) : NULL;
	size_t offered = 0;
	unsigned wishes;

	if (!n)
		return WISH_NONE;
	shown = *show;
	for (int i = 0; i < TRUST_REMEDIES; i++) {
		int key = key_of(show, show->req[i]);

		if (key)
			actions[offered++] = (struct menu_item){ remedy_text((enum trust_remedy)i),
								 key, false, false };
	}
	wishes = popup_message_with(show->stack, _("Data quality"), text, actions, offered, chosen,
				    &shown);
	free(text);
	return wishes;
}
