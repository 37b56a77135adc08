export function fingerprint(root: string): string;
export function builtFrom(root: string): string;
