/** What equal messages have in common: numbers, and what is quoted of a line, do not make one another. */
export const messageKind = (message: string): string => message.replaceAll(/"[^"]*"|“[^”]*”|\d+/g, '#');
