// Reads frames of generated runs, one run on each line, with the client of a wire, and reports those that it does not accept.

import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

const EVENTS = { 'Content-Type': 'text/event-stream' };
const respond = (body) => async () => new Response(body, { headers: EVENTS });

/** Returns the JSON of all frames. */
const chunksOf = (body) =>
  body
    .split('\n\n')
    .map((frame) => frame.slice(frame.indexOf('data: ') + 6))
    .filter((data) => data !== '' && data !== '[DONE]')
    .map((data) => JSON.parse(data));

/** Returns a function that reads what one request of a run received; `state` is of the run. */
const clients = {
  async CHAT() {
    const { default: OpenAI } = await import('openai');
    return async ({ body }) => {
      const client = new OpenAI({ apiKey: 'none', baseURL: 'http://server/v1', maxRetries: 0, fetch: respond(body) });
      const stream = client.chat.completions.stream({ model: 'model', messages: [{ role: 'user', content: 'Please.' }] });
      const ended = stream.finalChatCompletion();
      if (chunksOf(body).some((chunk) => chunk.error)) {
        await assert.rejects(ended, OpenAI.APIError);
      } else {
        const said = chunksOf(body).map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
        assert.equal((await ended).choices[0].message.content ?? '', said);
      }
    };
  },

  async RESPONSES() {
    const { default: OpenAI } = await import('openai');
    return async ({ body }) => {
      const client = new OpenAI({ apiKey: 'none', baseURL: 'http://server/v1', maxRetries: 0, fetch: respond(body) });
      const stream = client.responses.stream({ model: 'model', input: 'Please.' });
      const response = await stream.finalResponse();
      const { response: last } = chunksOf(body).at(-1);
      assert.equal(response.status, last.status);
      const texts = last.output.flatMap((item) => (item.type === 'message' ? item.content.map((part) => part.text) : []));
      assert.equal(response.output_text, texts.join(''));
    };
  },

  async AI_SDK() {
    const { readUIMessageStream, uiMessageChunkSchema } = await import('ai');
    const schema = uiMessageChunkSchema();
    return async ({ request, body }, state) => {
      const chunks = chunksOf(body);
      for (const chunk of chunks) {
        const checked = await schema.validate(chunk);
        assert.ok(checked.success, `${checked.error}\n${JSON.stringify(chunk)}`);
      }
      if (request === 'alone') {
        return;
      }
      const failed = chunks.at(-1).type === 'error';
      let error;
      const stream = new ReadableStream({
        start(controller) {
          chunks.filter((chunk) => chunk.type !== 'error').forEach((chunk) => controller.enqueue(chunk));
          controller.close();
        },
      });
      const message = request === 'answer' ? state.message : undefined;
      for await (const next of readUIMessageStream({ message, stream, onError: (e) => (error ??= e), terminateOnError: true })) {
        if (request === 'start' || request === 'answer') {
          state.message = next;
        }
      }
      assert.equal(error, undefined, failed ? 'after an error' : undefined);
    };
  },

  async AG_UI() {
    const { HttpAgent } = await import('@ag-ui/client');
    const { EventSchemas } = await import('@ag-ui/core/schemas');
    return async ({ request, body }) => {
      const events = chunksOf(body);
      events.forEach((event) => EventSchemas.parse(event));
      if (request === 'alone') {
        return;
      }
      const agent = new HttpAgent({ url: 'http://server', threadId: 'thread', fetch: respond(body) });
      let failure;
      await agent
        .runAgent({ runId: 'run' }, { onRunFailed: ({ error }) => { failure = error; } })
        .catch((e) => { failure = e; });
      assert.equal(failure, undefined);
    };
  },

  async MASTRA() {
    const { MastraClient } = await import('@mastra/client-js');
    return async ({ body }) => {
      const client = new MastraClient({ baseUrl: 'http://server', retries: 0, fetch: respond(body) });
      const response = await client.getAgent('top').stream('Please.');
      const chunks = [];
      await response.processDataStream({ onChunk: async (chunk) => { chunks.push(chunk); } });
      assert.deepEqual(chunks, chunksOf(body));
      if (chunks.some((chunk) => chunk.type === 'error')) {
        errors.length = 0; // the client has logged it
      }
    };
  },
};

const [, , wire, file] = process.argv;
const errors = [];
console.error = (...words) => errors.push(words.join(' '));
console.warn = () => {};
const read = await clients[wire]();
let checked = 0;
for await (const line of createInterface({ input: createReadStream(file) })) {
  const { run, requests } = JSON.parse(line);
  const state = {};
  for (const request of requests) {
    errors.length = 0;
    let error = null;
    try {
      await read(request, state);
      error = errors[0] ?? null;
    } catch (e) {
      error = e?.stack ?? String(e);
    }
    checked++;
    if (error !== null) {
      process.stdout.write(JSON.stringify({ run, request: request.request, error }) + '\n');
    }
  }
}
process.stdout.write(JSON.stringify({ checked }) + '\n');
process.exit(0);
