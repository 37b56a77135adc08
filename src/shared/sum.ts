export const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
