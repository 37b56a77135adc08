/** An object with some members of our own; all others are its own, called on it. */
export function overlaid<T extends object>(target: T, own: Partial<T>): T {
  return new Proxy(target, {
    get(of, key): unknown {
      if (Object.hasOwn(own, key)) return Reflect.get(own, key);
      const value: unknown = Reflect.get(of, key, of);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
}
