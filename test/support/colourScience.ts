/** Contrast of WCAG 2, and how far two colours lie apart for eyes of several kinds. Colours are `#rrggbb`. */

type Triple = readonly [number, number, number];

/** Linear-light sRGB, 0 to 1. */
function linear(hex: string): Triple {
  const channel = (from: number): number => {
    const value = parseInt(hex.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

const luminance = ([r, g, b]: Triple): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/** 1 to 21 (WCAG 2.2, “contrast ratio”). */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(linear(one)), luminance(linear(other))].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const row = (weights: Triple, [r, g, b]: Triple): number => weights[0] * r + weights[1] * g + weights[2] * b;

/** Simulated vision in linear sRGB: Viénot, Brettel & Mollon 1999 for the two dichromacies. */
const eyes = {
  trichromat: ([r, g, b]: Triple): Triple => [r, g, b],
  protanope: (c: Triple): Triple => [
    row([0.11238, 0.88762, 0], c),
    row([0.11238, 0.88762, 0], c),
    row([0.00401, -0.00401, 1], c),
  ],
  deuteranope: (c: Triple): Triple => [
    row([0.29275, 0.70725, 0], c),
    row([0.29275, 0.70725, 0], c),
    row([-0.02234, 0.02234, 1], c),
  ],
};
export type Eye = keyof typeof eyes;
export const allEyes: readonly Eye[] = ['trichromat', 'protanope', 'deuteranope'];

/** OKLab (Ottosson 2020) of linear sRGB. */
function oklab(c: Triple): Triple {
  const lms: Triple = [
    Math.cbrt(row([0.4122214708, 0.5363325363, 0.0514459929], c)),
    Math.cbrt(row([0.2119034982, 0.6806995451, 0.1073969566], c)),
    Math.cbrt(row([0.0883024619, 0.2817188376, 0.6299787005], c)),
  ];
  return [
    row([0.2104542553, 0.793617785, -0.0040720468], lms),
    row([1.9779984951, -2.428592205, 0.4505937099], lms),
    row([0.0259040371, 0.7827717662, -0.808675766], lms),
  ];
}

/** Euclidean distance in OKLab: black to white is 1, just noticeable about 0.02. */
export function distance(one: string, other: string, eye: Eye): number {
  const [a, b] = [oklab(eyes[eye](linear(one))), oklab(eyes[eye](linear(other)))];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
