/**
 * Single-linkage clusters: two members are in one cluster when a chain of pairs leads from one to the other, each alike.
 * O(members²) looks at pairs.
 *
 * @param alike symmetric
 * @returns sizes, largest first
 */
export function linkedSizes(members: number, alike: (a: number, b: number) => boolean): number[] {
  const above = Int32Array.from({ length: members }, (_, i) => i);
  const rootOf = (member: number): number => {
    let root = member;
    while (above[root] !== root) {
      above[root] = above[above[root] ?? root] ?? root;
      root = above[root] ?? root;
    }
    return root;
  };
  for (let a = 1; a < members; a++) {
    for (let b = 0; b < a; b++) {
      const [left, right] = [rootOf(a), rootOf(b)];
      if (left !== right && alike(a, b)) above[left] = right;
    }
  }
  const sizes = new Map<number, number>();
  for (let i = 0; i < members; i++) sizes.set(rootOf(i), (sizes.get(rootOf(i)) ?? 0) + 1);
  return [...sizes.values()].sort((a, b) => b - a);
}
