type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The members that are not undefined, in their order: an optional member is absent, never undefined. */
export function defined<T extends object>(members: T): Defined<T>;
export function defined(members: object): object {
  // Called for every turn of every attempt: without lists of pairs, which take most of the time.
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) kept[name] = value;
  return kept;
}
