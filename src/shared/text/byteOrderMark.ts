/** A text without the mark that some editors put before the first character of a file in UTF-8. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');
