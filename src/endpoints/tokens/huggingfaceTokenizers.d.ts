// The package's own declarations import without file endings, which a compiler for Node's modules does not follow.
declare module '@huggingface/tokenizers' {
  export class Tokenizer {
    constructor(tokenizer: object, config: object);
    encode(text: string, options: { add_special_tokens: boolean }): { ids: number[] };
    decode(ids: number[], options: { skip_special_tokens: boolean }): string;
    token_to_id(token: string): number | undefined;
  }
}
