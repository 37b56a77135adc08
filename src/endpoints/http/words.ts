/** The words of an error: what a server said, short, and without anything secret. */
import * as l10n from '@vscode/l10n';
import { parseSaid } from '../../shared/json.ts';

/** First characters of a body, on one line. */
export function excerpt(body: Buffer, length = 200): string {
  // Characters that a terminal or a log would act on are shown as spaces.
  const text = body
    .subarray(0, 4 * length)
    .toString('utf8')
    .replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim();
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** The text of an error answer: `detail`, `error`, `message` of a JSON body, else its first characters. */
export function errorText(body: Buffer): string {
  const text = body.toString('utf8');
  if (/^\s*</.test(text)) {
    const title = /<title[^>]*>([^<]*)</i.exec(text)?.[1]?.trim();
    return title === undefined || title === ''
      ? l10n.t('an HTML page')
      : l10n.t('an HTML page, “{0}”', title.slice(0, 120));
  }
  const said = messageOf(parseSaid(text));
  // It becomes a clause of a sentence of ours.
  return (said === null ? excerpt(body) : excerpt(Buffer.from(said), 400)).replace(/\.$/, '');
}

function messageOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) {
    const parts = value.map(messageOf).filter((part) => part !== null);
    return parts.length === 0 ? null : parts.slice(0, 3).join('; ');
  }
  if (typeof value !== 'object' || value === null) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  const where = fields.get('loc');
  for (const name of ['detail', 'error', 'message', 'msg']) {
    const said = messageOf(fields.get(name));
    if (said !== null) return Array.isArray(where) ? `${where.join('.')}: ${said}` : said;
  }
  return null;
}

/** Takes secrets out of texts. */
export class Redactor {
  readonly #secrets = new Set<string>();

  /** A header's value counts whole and without its scheme (`Bearer`). */
  add(secret: string): void {
    for (const part of [secret, secret.slice(secret.indexOf(' ') + 1)]) if (part.length >= 4) this.#secrets.add(part);
  }

  clean(text: string): string {
    let clean = text;
    for (const secret of this.#secrets) clean = clean.replaceAll(secret, '•••');
    return clean;
  }
}
