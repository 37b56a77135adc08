import { strip } from '../../python/text.ts';
import { userOf } from './account.ts';
import { deleted, sharedWordsElseEqual } from './judges.ts';
import { ToolFault, Wrong } from './faults.ts';
import { checkTime } from './times.ts';
import type { Tables } from './tables.ts';
import { text, type Given, type Tool } from './tool.ts';

const parameters = {
  token: text,
  meeting_topic: text,
  start_time: text,
  end_time: text,
  location: text,
  attendees: text,
};
const judge = sharedWordsElseEqual('meeting_topic');

/** The user's first meeting of this topic or start. @throws ToolFault */
function ownMeeting(given: Given, tables: Tables): Tables['Meeting'][string] {
  const [topic, start, end] = [given.text('meeting_topic'), given.text('start_time'), given.text('end_time')];
  if (start !== '') checkTime(start);
  if (end !== '') checkTime(end);
  if (strip(topic) === '' && start === '') {
    throw new ToolFault('Meeting Topic and start_time should not be null both');
  }
  const username = userOf(given.text('token'), tables);
  for (const meeting of Object.values(tables.Meeting)) {
    if (meeting.username !== username) continue;
    if (meeting.meeting_topic === topic || meeting.start_time === start) return meeting;
  }
  if (topic !== '') throw new ToolFault(`You have no meeting about ${topic}`);
  if (start !== '') throw new ToolFault(`You have no meeting at time : ${start}`);
  throw new Wrong('neither topic nor start');
}

function change(given: Given, tables: Tables): string {
  ownMeeting(given, tables);
  return 'success';
}

export const meetingTools = {
  AddMeeting: {
    parameters,
    call(given, tables) {
      checkTime(given.text('start_time'));
      checkTime(given.text('end_time'));
      if (strip(given.text('meeting_topic')) === '') throw new ToolFault('Meeting Topic should not be null');
      userOf(given.text('token'), tables);
      return 'success';
    },
    judge,
  },
  // The official check asks for an input "time", which no meeting has: a meeting that was deleted is never right.
  DeleteMeeting: { parameters, call: change, judge: deleted },
  ModifyMeeting: { parameters, call: change, judge },
  QueryMeeting: { parameters, call: ownMeeting, judge },
} satisfies Record<string, Tool>;
