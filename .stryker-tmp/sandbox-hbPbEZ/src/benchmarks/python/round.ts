/** `round(value, decimals)` of Python for a value of usual size: by its exact binary value, a tie to the even digit. */
export function roundHalfEven(value: number, decimals: number): number {
  const up = value.toFixed(decimals);
  // A tie shows in its exact digits, of which doubles near 1 have about fifty.
  const isTie = /^50*$/.test(value.toFixed(100).slice(value.toFixed(100).indexOf('.') + 1 + decimals));
  if (!isTie || Number(up.at(-1)) % 2 === 0) return Number(up);
  return Number((Number(up) - Math.sign(value) * 10 ** -decimals).toFixed(decimals));
}
