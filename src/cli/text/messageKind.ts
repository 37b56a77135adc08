/** The common part of similar messages: numbers and quoted parts of a line are left out. */
export const messageKind = (message: string): string => message.replaceAll(/"[^"]*"|“[^”]*”|\d+/g, '#');
