// What the scenarios of Mastra's client have in common. It signs in with the key that is the second argument, which acts for the resource 'ann'.

import { MastraClient } from '@mastra/client-js';

console.error = (...words) => {
  throw new Error(`the client reports: ${words.join(' ')}`);
};

export const headers = { Authorization: `Bearer ${process.argv[3]}` };
export const clientOf = (url) => new MastraClient({ baseUrl: url, headers, retries: 0 });
export const agentOf = (url, id) => clientOf(url).getAgent(id);

export async function chunksOf(response) {
  const chunks = [];
  await response.processDataStream({
    onChunk: async (chunk) => {
      chunks.push(chunk);
    },
  });
  return chunks;
}

export const stream = async (url, id, options) => chunksOf(await agentOf(url, id).stream('Please.', options));
export const network = async (url, id, options = {}) => chunksOf(await agentOf(url, id).network('Please.', options));
export const of = (chunks, type) => chunks.filter((chunk) => chunk.type === type).map((chunk) => chunk.payload);
export const textOf = (chunks) => of(chunks, 'text-delta').map((payload) => payload.text).join('');

/** Returns the innermost chunks of envelopes. */
export const inner = (chunks) => of(chunks, 'tool-output').map((payload) => payload.output);
