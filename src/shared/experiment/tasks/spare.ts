/** How many to begin where `count` are needed (`rollouts.spare`). */
export const withSpare = (count: number, spare: number): number => Math.ceil(count * (1 + spare) - 1e-9);
