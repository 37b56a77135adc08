/** Placing text so that it can be read. Pure. */
import { outOfRange } from '../../src/shared/outOfRange.ts';

/**
 * Positions near `wanted`, at least `gap` apart and within [low, high] as far as they fit, in the order of `wanted`.
 * Neighbours that collide share the displacement, so that no label is pushed further than it must be.
 */
export function spreadLabels(wanted: readonly number[], gap: number, [low, high]: readonly [number, number]): number[] {
  interface Block {
    /** Mean of its members' wanted positions, each less its offset in the block. */
    start: number;
    members: number[];
  }
  const order = wanted
    .map((_, i) => i)
    .sort((a, b) => (wanted[a] ?? outOfRange()) - (wanted[b] ?? outOfRange()) || a - b);
  const blocks: Block[] = [];
  const size = (block: Block): number => (block.members.length - 1) * gap;
  const settle = (start: number, members: number[]): Block => {
    const fits = Math.min(Math.max(start, low), Math.max(low, high - (members.length - 1) * gap));
    return { start: fits, members };
  };
  for (const i of order) {
    let block = settle(wanted[i] ?? outOfRange(), [i]);
    for (;;) {
      const before = blocks.at(-1);
      if (before === undefined || before.start + size(before) + gap <= block.start) break;
      blocks.pop();
      const members = [...before.members, ...block.members];
      const start =
        members.reduce((sum, member, k) => sum + (wanted[member] ?? outOfRange()) - k * gap, 0) / members.length;
      block = settle(start, members);
    }
    blocks.push(block);
  }
  const placed = new Array<number>(wanted.length).fill(0);
  for (const { start, members } of blocks) {
    for (const [k, member] of members.entries()) placed[member] = start + k * gap;
  }
  return placed;
}

/** Width of a text in pixels, estimated as if it were bold: good enough to keep labels apart without measuring. */
export function textWidth(text: string, size = 12): number {
  return text.length * size * 0.64;
}
