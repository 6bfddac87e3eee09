// The client of OpenAI for Node.

import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { zodFunction, zodResponseFormat, zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { all, answer, run, untilStatus } from './scenarios.mjs';

const client = (url) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' });
const user = (content) => [{ role: 'user', content }];

await run({
  async modelsAreListedAndFound(url) {
    const models = await all(client(url).models.list());
    assert.ok(models.some((model) => model.id === 'writer' && model.owned_by === 'chargehand'));
    assert.equal((await client(url).models.retrieve('writer')).id, 'writer');
    await assert.rejects(client(url).models.retrieve('nobody'), OpenAI.NotFoundError);
  },

  async aChatIsAnswered(url) {
    const chat = await client(url).chat.completions.create({ model: 'writer', messages: user('Write.') });
    assert.equal(chat.choices[0].message.content, 'One two.');
    assert.equal(chat.choices[0].finish_reason, 'stop');
    assert.equal(chat.usage.total_tokens, 15);
  },

  async aStoredChatIsReadListedChangedAndDeleted(url) {
    const { completions } = client(url).chat;
    const order = `o-${process.pid}-${Date.now()}`;
    const made = [];
    for (const metadata of [{ order }, { order, second: 'yes' }]) {
      made.push(await completions.create({ model: 'writer', messages: user('Write.'), store: true, metadata }));
    }
    assert.deepEqual(await completions.retrieve(made[0].id), made[0]);
    const ids = async (query) => (await all(completions.list(query))).map((each) => each.id);
    assert.deepEqual(await ids({ metadata: { order }, limit: 1 }), [made[0].id, made[1].id]);
    assert.deepEqual(await ids({ metadata: { order }, order: 'desc', model: 'writer' }), [made[1].id, made[0].id]);
    const messages = await all(completions.messages.list(made[0].id, { limit: 1 }));
    assert.deepEqual(messages.map((each) => [each.role, each.content]), [['user', 'Write.']]);
    const changed = await completions.update(made[0].id, { metadata: { state: 'paid' } });
    assert.deepEqual(changed.metadata, { state: 'paid', stop_reason: 'finished' });
    assert.deepEqual(await ids({ metadata: { order } }), [made[1].id]);
    const deleted = await completions.delete(made[0].id);
    assert.deepEqual(deleted, { id: made[0].id, object: 'chat.completion.deleted', deleted: true });
    await assert.rejects(completions.retrieve(made[0].id), OpenAI.NotFoundError);
    await assert.rejects(completions.delete(made[0].id), OpenAI.NotFoundError);
    const stream = completions.stream({ model: 'writer', messages: user('Write.'), store: true });
    const { id } = await stream.finalChatCompletion();
    assert.equal((await completions.retrieve(id)).choices[0].message.content, 'One two.');
    const unstored = await completions.create({ model: 'writer', messages: user('Write.'), store: false });
    await assert.rejects(completions.retrieve(unstored.id), OpenAI.NotFoundError);
  },

  async methodsThatNoAgentHasAreErrors(url) {
    const rejected = (e) => e instanceof OpenAI.APIError && e.status === 405 && e.code === 'method-not-allowed';
    await assert.rejects(client(url).models.delete('writer'), rejected);
    await assert.rejects(client(url).responses.compact({ model: 'writer', input: 'Write.' }), rejected);
    await assert.rejects(client(url).responses.inputTokens.count({ model: 'writer', input: 'Write.' }), rejected);
  },

  async aChatIsStreamedWithUsage(url) {
    const stream = client(url).chat.completions.stream({
      model: 'lead',
      messages: user('Write.'),
      stream_options: { include_usage: true },
    });
    const chunks = await all(stream);
    const chat = await stream.finalChatCompletion();
    assert.equal(chat.choices[0].message.content, 'I ask.\n\nAll done.');
    assert.equal(chunks.at(-1).usage.total_tokens, 45);
  },

  async aNetworkGivesItsFinalTextOnly(url) {
    for (const [agent, text] of [['router', 'One two.'], ['host', 'Welcome.']]) {
      const model = `${agent}/network`;
      const chat = await client(url).chat.completions.create({ model, messages: user('Please.') });
      assert.equal(chat.choices[0].message.content, text);
      const chunks = await all(client(url).chat.completions.stream({ model, messages: user('Please.') }));
      const said = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').filter((part) => part !== '');
      assert.deepEqual(said, [text]);
      const response = await client(url).responses.create({ model: `${model}@talk-${agent}`, input: 'Please.' });
      assert.equal(response.output_text, text);
    }
    await assert.rejects(
      client(url).chat.completions.create({ model: 'nobody/network', messages: user('Please.') }),
      OpenAI.NotFoundError,
    );
  },

  async aSchemaIsParsed(url) {
    const chat = await client(url).chat.completions.parse({
      model: 'shaper',
      messages: user('Shape.'),
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'shape',
          schema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
        },
      },
    });
    assert.deepEqual(JSON.parse(chat.choices[0].message.content), { a: 1 });
  },

  async anyObjectIsAnAnswer(url) {
    const chat = await client(url).chat.completions.create({
      model: 'shaper',
      messages: user('Shape.'),
      response_format: { type: 'json_object' },
    });
    assert.deepEqual(JSON.parse(chat.choices[0].message.content), { a: 1 });
  },

  async schemasOfZodAreParsed(url) {
    const shape = z.object({ a: z.number().int() });
    const chat = await client(url).chat.completions.parse({
      model: 'shaper',
      messages: user('Shape.'),
      response_format: zodResponseFormat(shape, 'shape'),
    });
    assert.deepEqual(chat.choices[0].message.parsed, { a: 1 });
    const stream = client(url).chat.completions.stream({
      model: 'shaper',
      messages: user('Shape.'),
      response_format: zodResponseFormat(shape, 'shape'),
    });
    assert.deepEqual((await stream.finalMessage()).parsed, { a: 1 });
    const response = await client(url).responses.parse({
      model: 'shaper',
      input: 'Shape.',
      text: { format: zodTextFormat(shape, 'shape') },
    });
    assert.deepEqual(response.output_parsed, { a: 1 });
    assert.equal(response.text.format.name, 'shape');
  },

  async aToolOfZodIsCalledByTheLoop(url) {
    const parameters = z.object({ precise: z.boolean() });
    const called = [];
    const runner = client(url).chat.completions.runTools({
      model: 'helper',
      messages: user('Where?'),
      tools: [
        zodFunction({
          name: 'locate',
          parameters,
          function: (given) => {
            called.push(given);
            return 'Rome';
          },
        }),
      ],
    });
    assert.equal(await runner.finalContent(), 'You are there.');
    assert.deepEqual(called, [{ precise: true }]);
    const tools = [zodResponsesFunction({ name: 'locate', parameters })];
    const response = await client(url).responses.parse({ model: 'helper', input: 'Where?', tools });
    assert.deepEqual(response.output[0].parsed_arguments, { precise: true });
    assert.deepEqual([response.tools[0].name, response.tools[0].strict], ['locate', true]);
  },

  async eachAnswerNamesItsRequest(url) {
    const chat = await client(url).chat.completions.create({ model: 'writer', messages: user('Write.') });
    assert.match(chat._request_id, /^req_/);
    const { request_id: streamed } = await client(url)
      .chat.completions.create({ model: 'writer', messages: user('Write.'), stream: true })
      .withResponse();
    assert.match(streamed, /^req_/);
    const error = await client(url).models.retrieve('nobody').catch((e) => e);
    assert.match(error.requestID, /^req_/);
  },

  async whatIsNotOfferedIsABadRequest(url) {
    const ofChats = {
      n: 2,
      logprobs: true,
      top_logprobs: 2,
      tool_choice: 'required',
      function_call: 'auto',
      web_search_options: {},
      prediction: { type: 'content', content: 'One' },
    };
    const ofResponses = {
      include: ['message.output_text.logprobs'],
      max_tool_calls: 2,
      prompt: { id: 'pmpt_1' },
      store: false,
      tool_choice: 'required',
      top_logprobs: 2,
    };
    const rejects = (param) => (e) => e instanceof OpenAI.BadRequestError && e.param === param;
    for (const [param, value] of Object.entries(ofChats)) {
      const body = { model: 'writer', messages: user('Write.'), [param]: value };
      await assert.rejects(client(url).chat.completions.create(body), rejects(param), param);
    }
    for (const [param, value] of Object.entries(ofResponses)) {
      const body = { model: 'writer', input: 'Write.', [param]: value };
      await assert.rejects(client(url).responses.create(body), rejects(param), param);
    }
  },

  async anErrorInMidStreamIsThrown(url) {
    const stream = await client(url).chat.completions.create({
      model: 'broken',
      messages: user('Write.'),
      stream: true,
    });
    let text = '';
    await assert.rejects(
      async () => {
        for await (const chunk of stream) {
          text += chunk.choices[0]?.delta?.content ?? '';
        }
      },
      (e) => e instanceof OpenAI.APIError && e.code === 'model-authentication',
    );
    assert.ok('Half '.startsWith(text)); // a part that arrives before the reader may be lost with its step
  },

  async aRunThatFailedIsNotRepeated(url) {
    await assert.rejects(
      client(url).chat.completions.create({ model: 'broken', messages: user('Once, please.') }),
      (e) => e.status === 424 && e.error.run_id.startsWith('run_'),
    );
    const { runs } = await (await fetch(`${url}/api/v1/runs?agent=broken`)).json();
    assert.equal(runs.filter((each) => each.firstWords === 'Once, please.').length, 1);
  },

  async aToolOfTheClientIsCalledInAChat(url) {
    const tools = [{ type: 'function', function: { name: 'locate', parameters: { type: 'object' } } }];
    const messages = user('Where?');
    const first = await client(url).chat.completions.create({ model: 'helper', messages, tools });
    assert.equal(first.choices[0].finish_reason, 'tool_calls');
    const [call] = first.choices[0].message.tool_calls;
    assert.deepEqual([call.function.name, JSON.parse(call.function.arguments)], ['locate', { precise: true }]);
    messages.push(first.choices[0].message, { role: 'tool', tool_call_id: call.id, content: 'Rome' });
    const second = await client(url).chat.completions.create({ model: 'helper', messages, tools });
    assert.equal(second.choices[0].message.content, 'You are there.');
    await assert.rejects(client(url).chat.completions.create({ model: 'helper', messages, tools }), OpenAI.ConflictError);
    messages.push(second.choices[0].message, ...user('And now?'));
    const again = await client(url).chat.completions.create({ model: 'helper', messages, tools });
    assert.equal(again.choices[0].finish_reason, 'tool_calls');
  },

  async theClientsOwnLoopCallsItsTool(url) {
    const runner = client(url).chat.completions.runTools({
      model: 'helper',
      messages: user('Where?'),
      stream: true,
      tools: [
        {
          type: 'function',
          function: { name: 'locate', function: () => 'Rome', parse: JSON.parse, parameters: { type: 'object' } },
        },
      ],
    });
    assert.equal(await runner.finalContent(), 'You are there.');
  },

  async aToolOfTheClientIsCalledInAResponse(url) {
    const tools = [{ type: 'function', name: 'locate', parameters: { type: 'object' }, strict: false }];
    const first = await client(url).responses.create({ model: 'helper', input: 'Where?', tools });
    const call = first.output.find((item) => item.type === 'function_call');
    assert.deepEqual([call.name, JSON.parse(call.arguments)], ['locate', { precise: true }]);
    const stream = client(url).responses.stream({
      model: 'helper',
      previous_response_id: first.id,
      input: [{ type: 'function_call_output', call_id: call.call_id, output: 'Rome' }],
      tools,
    });
    assert.equal((await stream.finalResponse()).output_text, 'You are there.');
    assert.equal((await stream.finalResponse()).previous_response_id, null); // it is the same response
    const read = await client(url).responses.retrieve(first.id);
    assert.equal(read.status, 'completed');
    assert.deepEqual(read.output.map((item) => item.type), ['function_call', 'message']);
  },

  async toolsOfTheClientAreRejected(url) {
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];
    await assert.rejects(
      client(url).chat.completions.create({ model: 'writer', messages: user('Write.'), tools }),
      (e) => e instanceof OpenAI.BadRequestError && e.param === 'tools',
    );
  },

  async aClientThatLeavesCancelsItsRun(url) {
    const stream = await client(url).chat.completions.create({
      model: 'slow',
      messages: user('Write.'),
      stream: true,
    });
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta?.content) {
        break;
      }
    }
    await untilStatus(url, 'slow', 'aborted');
  },

  async aWaitingRunIsAnsweredOnTheOwnApi(url) {
    const error = await client(url)
      .chat.completions.create({ model: 'clerk', messages: user('Pay.') })
      .catch((e) => e);
    assert.equal(error.status, 409);
    assert.equal(error.code, 'suspended');
    assert.equal(await answer(url, error.error.approvals[0], 'approve'), 200);
    await untilStatus(url, 'clerk', 'completed');
  },

  async aResponseIsStreamed(url) {
    const stream = client(url).responses.stream({ model: 'lead', input: 'Write.' });
    const events = await all(stream);
    const response = await stream.finalResponse();
    assert.equal(response.status, 'completed');
    assert.equal(response.usage.total_tokens, 45);
    assert.deepEqual(
      response.output.map((item) => item.content[0].text),
      ['I ask.', 'All done.'],
    );
    assert.ok(events.every((event, i) => i === 0 || event.sequence_number > events[i - 1].sequence_number));
    const again = client(url).responses.stream({ response_id: response.id });
    assert.deepEqual((await again.finalResponse()).output, response.output);
  },

  async whatAModelThinksIsAnItem(url) {
    const stream = client(url).responses.stream({ model: 'thinker', input: 'Think.' });
    const deltas = [];
    stream.on('response.reasoning_summary_text.delta', (event) => deltas.push(event.delta));
    const response = await stream.finalResponse();
    assert.equal(deltas.join(''), 'Hm.');
    assert.deepEqual(response.output.map((item) => item.type), ['reasoning', 'message']);
    assert.deepEqual(response.output[0].summary, [{ type: 'summary_text', text: 'Hm.' }]);
    const input = [{ role: 'user', content: 'Think.' }, ...response.output, { role: 'user', content: 'Again.' }];
    assert.equal((await client(url).responses.create({ model: 'thinker', input })).output_text, 'So.');
  },

  async aResponseHasItsInputAndIsDeleted(url) {
    const response = await client(url).responses.create({
      model: 'writer',
      input: 'Write.',
      conversation: `talk-${process.pid}`,
      metadata: { order: 'o-7' },
    });
    assert.equal(response.conversation.id, `talk-${process.pid}`);
    const items = await all(client(url).responses.inputItems.list(response.id, { order: 'asc', limit: 1 }));
    assert.deepEqual(items.map((item) => [item.role, item.content[0].text]), [['user', 'Write.']]);
    await client(url).responses.delete(response.id);
    await assert.rejects(client(url).responses.retrieve(response.id), OpenAI.NotFoundError);
  },

  async aResponseIsContinued(url) {
    const first = await client(url).responses.create({ model: 'writer', input: 'Write.', instructions: 'Rhyme.' });
    assert.equal(first.output_text, 'One two.');
    const second = await client(url).responses.create({
      model: 'writer',
      input: 'How many?',
      previous_response_id: first.id,
    });
    assert.equal(second.status, 'completed');
    assert.equal((await client(url).responses.retrieve(second.id)).output_text, 'One two.');
  },

  async aStreamIsResumed(url) {
    const stream = await client(url).responses.create({ model: 'writer', input: 'Write.', stream: true });
    let last;
    for await (const event of stream) {
      last ??= event.type === 'response.output_text.delta' ? event : undefined;
    }
    const id = last.item_id.replace('msg_', 'resp_').replace(/_1$/, '');
    const rest = await all(
      await client(url).responses.retrieve(id, { stream: true, starting_after: last.sequence_number }),
    );
    assert.ok(rest.every((event) => event.sequence_number > last.sequence_number));
    assert.equal(rest.find((event) => event.type === 'response.output_text.done').text, 'One two.');
    assert.equal(rest.at(-1).type, 'response.completed');
  },

  async aResponseInTheBackgroundIsPolledAndCancelled(url) {
    const queued = await client(url).responses.create({ model: 'slow', input: 'Write.', background: true });
    assert.equal(queued.status, 'queued');
    assert.ok(queued.created_at > 0);
    const cancelled = await client(url).responses.cancel(queued.id);
    assert.equal(cancelled.status, 'cancelled');
  },

  async aResponseThatFailsSaysSo(url) {
    const events = await all(
      await client(url).responses.create({ model: 'broken', input: 'Write.', stream: true }),
    );
    assert.equal(events.at(-1).type, 'response.failed');
    const { code, reason } = events.at(-1).response.error;
    assert.deepEqual([code, reason], ['server_error', 'model-authentication']);
  },
});
