export type Language = 'python' | 'java' | 'javascript';
