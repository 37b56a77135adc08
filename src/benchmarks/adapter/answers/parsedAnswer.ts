/** `value` is a text or what its JSON says. */
export type ParsedAnswer = { ok: true; value: unknown } | { ok: false; note: string };
