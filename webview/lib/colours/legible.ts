/** A colour that can be told from the background behind it. Pure; colours are `#rrggbb`. */

/** Least contrast: text is written in the first four, the others only draw (WCAG 2.2, 1.4.3 and 1.4.11). */
export const leastContrast = { agent: 4.5, environment: 4.5, good: 4.5, bad: 4.5, warn: 3, other: 3 } as const;

type Triple = readonly [number, number, number];

function channels(hex: string): Triple {
  const at = (from: number): number => parseInt(hex.slice(from, from + 2), 16);
  return [at(1), at(3), at(5)];
}

const linear = (channel: number): number => {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

/** Relative luminance, 0 to 1 (WCAG 2.2). */
function luminance(hex: string): number {
  const [r, g, b] = channels(hex);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/** Contrast ratio, 1 to 21 (WCAG 2.2). */
function ratio(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** @param share of the second, 0 to 1 */
export function mixed(hex: string, towards: string, share: number): string {
  const [from, to] = [channels(hex), channels(towards)];
  const parts = from.map((channel, i) => Math.round(channel + ((to[i] ?? channel) - channel) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * The colour itself where it contrasts enough, else the nearest mix with white or black that does. One of the two always
 * reaches 4.5 : 1.
 * @param least contrast ratio, at most 4.5
 */
export function legible(colour: string, background: string, least: number): string {
  const end = ratio('#ffffff', background) > ratio('#000000', background) ? '#ffffff' : '#000000';
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mixed(colour, end, share);
    if (ratio(candidate, background) >= least) return candidate;
  }
  return end;
}
