export { rightCalls, textOfCalls } from '../../../src/benchmarks/bfcl/goldText.ts';
