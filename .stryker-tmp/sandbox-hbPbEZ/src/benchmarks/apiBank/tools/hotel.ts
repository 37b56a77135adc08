import { allEqual } from './judges.ts';
import { ToolFault } from './faults.ts';
import { dayOf } from './times.ts';
import { text, whole, type Tool } from './tool.ts';

export const hotelTools = {
  BookHotel: {
    parameters: {
      hotel_name: text,
      check_in_time: text,
      check_out_time: text,
      room_count: whole,
      adult_count: whole,
      child_count: whole,
    },
    call(given, { Hotel }) {
      const [arrival, departure] = [dayOf(given.text('check_in_time')), dayOf(given.text('check_out_time'))];
      if (given.whole('adult_count') > 2n && given.whole('room_count') === 1n) {
        throw new ToolFault('The number of adults is greater than 2. Two rooms are ordered.');
      }
      for (const order of Object.values(Hotel)) {
        if (order.hotel_name !== given.text('hotel_name')) continue;
        const [from, to] = [dayOf(order.check_in_time), dayOf(order.check_out_time)];
        if ((arrival >= from && arrival < to) || (departure > from && departure <= to)) {
          throw new ToolFault('The room is not available.');
        }
      }
      return String(Object.keys(Hotel).length + 1);
    },
    judge: allEqual,
  },
} satisfies Record<string, Tool>;
