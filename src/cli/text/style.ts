import { Styled, type Look, type Printable } from './styled.ts';

const as =
  (look: Look) =>
  (text: Printable): Styled =>
    Styled.of(text).as(look);

/** Colour and weight, which streams omit when colours are off. */
export const style = {
  bold: as('bold'),
  dim: as('dim'),
  good: as('good'),
  bad: as('bad'),
  warn: as('warn'),
  accent: as('accent'),
} as const;

/** https://no-color.org: any value that is not empty switches colour off. Files, pipes and dumb terminals have none. */
export function showsColours(stream: { isTTY?: boolean }, env: Readonly<Record<string, string | undefined>>): boolean {
  return (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb' && stream.isTTY === true;
}
