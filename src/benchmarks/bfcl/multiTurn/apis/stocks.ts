/** The stocks and orders that an account begins with when its record names none. */
import { Dict, type Value } from '../../python/value.ts';
import { object } from '../api.ts';

/** Price, change in percent, volume, averages over 5 and 20 days. */
const quotes: Readonly<Record<string, readonly [number, number, number, number, number]>> = {
  AAPL: [227.16, 0.17, 2.552, 227.11, 227.09],
  GOOG: [2840.34, 0.24, 1.123, 2835.67, 2842.15],
  TSLA: [667.92, -0.12, 1.654, 671.15, 668.2],
  MSFT: [310.23, 0.09, 3.234, 309.88, 310.11],
  NVDA: [220.34, 0.34, 1.234, 220.45, 220.67],
  ALPH: [1320.45, -0.08, 1.567, 1321.12, 1325.78],
  OMEG: [457.23, 0.12, 2.345, 456.78, 458.12],
  QUAS: [725.89, -0.03, 1.789, 726.45, 728],
  NEPT: [88.34, 0.19, 0.654, 88.21, 88.67],
  SYNX: [345.67, 0.11, 2.112, 345.34, 346.12],
  ZETA: [22.09, -0.05, 0.789, 22.12, 22.34],
};

export const defaultStocks = (): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(quotes).map(([symbol, [price, change, volume, short, long]]) => [
      symbol,
      object({ price, percent_change: change, volume, 'MA(5)': short, 'MA(20)': long }),
    ]),
  );

export const defaultOrders = (): Dict =>
  Dict.of([
    [12345n, order(12345n, 'Buy', 'AAPL', 210.65, 10n, 'Completed')],
    [12446n, order(12446n, 'Sell', 'GOOG', 2840.56, 5n, 'Pending')],
  ]);

const order = (id: bigint, type: string, symbol: string, price: number, amount: bigint, status: string): Dict =>
  object({ id, order_type: type, symbol, price, amount, status });

/** A company's name → its symbol. */
export const symbols = object({
  Apple: 'AAPL',
  Google: 'GOOG',
  Tesla: 'TSLA',
  Microsoft: 'MSFT',
  Nvidia: 'NVDA',
  'Zeta Corp': 'ZETA',
  'Alpha Tech': 'ALPH',
  'Omega Industries': 'OMEG',
  'Quasar Ltd.': 'QUAS',
  'Neptune Systems': 'NEPT',
  'Synex Solutions': 'SYNX',
  Amazon: 'AMZN',
  Gorilla: 'GORI',
});

/** A sector → the symbols in it. */
export const sectors = object({
  Technology: ['AAPL', 'GOOG', 'MSFT', 'NVDA'],
  Automobile: ['TSLA', 'F', 'GM'],
});
