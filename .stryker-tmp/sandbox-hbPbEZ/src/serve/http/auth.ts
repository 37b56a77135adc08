/** The one key of a server, where it has one. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from './refusal.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** As `X-API-Key` or `Authorization: Bearer`. @throws Refusal 401 */
export function checkKey(headers: Readonly<Record<string, string>>, key: string): void {
  const bearer = /^Bearer (.+)$/i.exec(headers['authorization'] ?? '')?.[1];
  const given = headers['x-api-key'] ?? bearer;
  if (given === undefined) throw new Refusal(401, 'A key is needed: X-API-Key or Authorization: Bearer.');
  if (!timingSafeEqual(digest(given), digest(key))) throw new Refusal(401, 'The key is not the one of this server.');
}
