// The chats of the AI SDK's user interfaces.

import assert from 'node:assert/strict';
import {
  AbstractChat,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
} from 'ai';
import { answer, own, run, untilStatus } from './scenarios.mjs';

class Messages {
  status = 'ready';
  error = undefined;
  messages = [];
  pushMessage = (message) => {
    this.messages = this.messages.concat(message);
  };
  popMessage = () => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index, message) => {
    this.messages = this.messages.map((each, i) => (i === index ? structuredClone(message) : each));
  };
  snapshot = (value) => structuredClone(value);
}

class Chat extends AbstractChat {
  constructor(url, agent, id, more = {}) {
    const finished = [];
    super({
      id,
      state: new Messages(),
      transport: new DefaultChatTransport({ api: `${url}/ai-sdk/${agent}` }),
      onFinish: (end) => finished.push(end),
      ...more,
    });
    this.finished = finished;
  }
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk';
let chats = 0;
const chat = (url, agent, more) => new Chat(url, agent, `chat-${process.pid}-${++chats}`, more);
const ask = async (url, agent, more) => {
  const it = chat(url, agent, more);
  await it.sendMessage({ text: 'Please.' });
  return it;
};
const parts = (it, type) => it.lastMessage.parts.filter((part) => part.type === type);
const texts = (it) => parts(it, 'text').map((part) => part.text);

async function untilReady(it) {
  while (it.status !== 'ready' && it.status !== 'error') {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

await run({
  async aNetworkIsShown(url) {
    const it = await ask(url, 'router/network');
    assert.equal(it.error, undefined);
    assert.deepEqual(texts(it), ['One two.']);
    const [call] = parts(it, 'dynamic-tool');
    assert.deepEqual([call.toolName, call.state, call.input.prompt], ['agent-writer', 'output-available', 'Write.']);
    assert.equal(call.output.text, 'One two.');
    const names = parts(it, 'data-network').map((part) => part.data.type);
    assert.deepEqual(names, [
      'routing-agent-end',
      'agent-execution-start',
      'network-validation-end',
      'network-execution-event-step-finish',
      'network-execution-event-finish',
    ]);
    assert.equal(parts(it, 'step-start').length, 1);
    const greeting = await ask(url, 'host/network');
    assert.deepEqual(texts(greeting), ['Welcome.']);
  },

  async aCallOfANetworkIsApprovedInTheChat(url) {
    for (const [agent, tool] of [['cashier', 'pay'], ['desk', 'agent-clerk']]) {
      const it = await ask(url, `${agent}/network`, {
        sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      });
      const [asked] = parts(it, 'dynamic-tool');
      assert.deepEqual([asked.toolName, asked.state], [tool, 'approval-requested']);
      await it.addToolApprovalResponse({ id: asked.approval.id, approved: true });
      await untilReady(it);
      assert.equal(it.error, undefined);
      assert.equal(parts(it, 'dynamic-tool')[0].state, 'output-available');
      assert.equal(parts(it, 'data-network').at(-1).data.type, 'network-execution-event-finish');
    }
  },

  async aTextIsStreamedAndTheChatContinued(url) {
    const it = await ask(url, 'writer');
    assert.deepEqual(texts(it), ['One two.']);
    assert.equal(it.finished[0].finishReason, 'stop');
    assert.equal(it.lastMessage.metadata.stopReason, 'finished');
    await it.sendMessage({ text: 'More.' });
    assert.equal(it.messages.length, 4);
    assert.notEqual(it.messages[1].id, it.messages[3].id);
  },

  async aToolIsExecutedByTheChat(url) {
    const it = chat(url, 'guide', {
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
      onToolCall: ({ toolCall }) => {
        assert.deepEqual([toolCall.toolName, toolCall.input], ['locate', { precise: true }]);
        void it.addToolOutput({ tool: toolCall.toolName, toolCallId: toolCall.toolCallId, output: 'Rome' });
      },
    });
    await it.sendMessage({ text: 'Where?' });
    while (texts(it).length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await untilReady(it);
    assert.equal(it.error, undefined);
    assert.deepEqual(texts(it), ['You are there.']);
    assert.equal(parts(it, 'dynamic-tool')[0].output, 'Rome');
    assert.equal(it.messages.length, 2);
  },

  async reasoningIsAPart(url) {
    const it = await ask(url, 'thinker');
    assert.deepEqual(parts(it, 'reasoning').map((part) => [part.text, part.state]), [['Hm.', 'done']]);
    assert.deepEqual(texts(it), ['So.']);
  },

  async aToolIsAPart(url) {
    const it = await ask(url, 'cook');
    const [tool] = parts(it, 'dynamic-tool');
    assert.equal(tool.toolName, 'weather');
    assert.deepEqual(tool.input, { city: 'Rome' });
    assert.deepEqual(tool.output, { sky: 'blue', city: 'Rome' });
    assert.deepEqual(texts(it), ['It is sunny.']);
    assert.equal(parts(it, 'step-start').length, 2);
  },

  async aDelegationIsAToolAndItsEventsAreSentBeside(url) {
    const events = [];
    const it = await ask(url, 'lead', { onData: (part) => events.push(part) });
    assert.deepEqual(texts(it), ['I ask.', 'All done.']);
    assert.equal(parts(it, 'dynamic-tool')[0].state, 'output-available');
    assert.equal(parts(it, 'data-delegation')[0].data.text, 'One two.');
    const nested = events.filter((part) => part.type === 'data-delegation-event').map((part) => part.data.type);
    assert.equal(nested.at(0), 'run-start');
    assert.equal(nested.at(-1), 'run-finish');
  },

  async anObjectIsAPart(url) {
    const it = await ask(url, 'shaped');
    assert.deepEqual(parts(it, 'data-object').map((part) => part.data), [{ a: 1 }]);
  },

  async anApprovalGoesRound(url) {
    const it = await ask(url, 'clerk', {
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    const id = it.lastMessage.id;
    const [waiting] = parts(it, 'dynamic-tool');
    assert.equal(waiting.state, 'approval-requested');
    await it.addToolApprovalResponse({ id: waiting.approval.id, approved: true });
    await untilReady(it);
    assert.equal(it.lastMessage.id, id);
    assert.equal(parts(it, 'dynamic-tool')[0].output, 'paid 7');
    assert.deepEqual(texts(it), ['Paid.']);
    assert.equal(it.messages.length, 2);
  },

  async aDenialIsSentOnce(url) {
    const it = await ask(url, 'clerk', {
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    const [waiting] = parts(it, 'dynamic-tool');
    await it.addToolApprovalResponse({ id: waiting.approval.id, approved: false, reason: 'Too much.' });
    await untilReady(it);
    assert.equal(parts(it, 'dynamic-tool')[0].state, 'output-denied');
    assert.deepEqual(texts(it), ['Paid.']);
  },

  async anApprovalOfASubAgentIsAskedOnItsDelegation(url) {
    const it = await ask(url, 'boss', {
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    const [waiting] = parts(it, 'dynamic-tool');
    assert.equal(waiting.toolName, 'agent-clerk');
    assert.equal(parts(it, 'data-tool-call-approval')[0].data.toolName, 'pay');
    await it.addToolApprovalResponse({ id: waiting.approval.id, approved: true });
    await untilReady(it);
    assert.equal(parts(it, 'dynamic-tool')[0].state, 'output-available');
    assert.deepEqual(texts(it), ['All paid.']);
  },

  async aSecondAnswerIsAConflict(url) {
    const it = await ask(url, 'clerk');
    const [waiting] = parts(it, 'dynamic-tool');
    assert.equal(await answer(url, waiting.approval.id, 'approve'), 200);
    await it.addToolApprovalResponse({ id: waiting.approval.id, approved: true });
    await it.sendMessage();
    assert.equal(it.status, 'error');
    assert.match(it.error.message, /approval-already-decided/);
  },

  async aToolThatNeedsDataIsShown(url) {
    const it = await ask(url, 'form');
    const [waiting] = parts(it, 'data-tool-call-suspended');
    assert.deepEqual(waiting.data.payload, { question: 'Which street?' });
    const [step] = parts(await ask(url, 'officer'), 'data-tool-call-suspended');
    assert.deepEqual(step.data.payload, { amount: 7 });
  },

  async theOutputOfACallThatNeedsDataIsTheData(url) {
    for (const [agent, output, result, text] of [
      ['form', { street: 'Via Appia' }, 'sent to Via Appia', 'Sent.'],
      ['officer', { accepted: true }, true, 'Reviewed.'],
    ]) {
      const it = await ask(url, agent);
      const [call] = parts(it, 'dynamic-tool');
      assert.equal(call.state, 'input-available');
      await it.addToolOutput({ tool: call.toolName, toolCallId: call.toolCallId, output });
      await it.sendMessage();
      assert.equal(it.error, undefined);
      const [answered] = parts(it, 'dynamic-tool');
      assert.deepEqual([answered.state, answered.output], ['output-available', result]);
      assert.deepEqual([texts(it), it.messages.length], [[text], 2]);
      await it.sendMessage();
      assert.match(it.error.message, /already-decided|waits/);
    }
    const refused = await ask(url, 'form');
    const [call] = parts(refused, 'dynamic-tool');
    const { toolName: tool, toolCallId } = call;
    await refused.addToolOutput({ state: 'output-error', tool, toolCallId, errorText: 'Not at home.' });
    await refused.sendMessage();
    assert.equal(refused.error, undefined);
    assert.deepEqual(texts(refused), ['Sent.']);
    assert.equal(parts(refused, 'dynamic-tool')[0].state, 'output-denied');
  },

  async dataIsAskedForAgain(url) {
    const it = await ask(url, 'twice');
    for (const street of ['One', 'Two']) {
      const [call] = parts(it, 'dynamic-tool');
      assert.deepEqual([call.state, call.output], ['input-available', undefined]);
      await it.addToolOutput({ tool: call.toolName, toolCallId: call.toolCallId, output: { street } });
      await it.sendMessage();
      assert.equal(it.error, undefined);
    }
    assert.deepEqual([parts(it, 'dynamic-tool')[0].output, texts(it)], ['sent to Two', ['Moved.']]);
  },

  async anAnswerIsMadeAgain(url) {
    const it = await ask(url, 'writer');
    const first = it.lastMessage.id;
    await it.regenerate();
    assert.equal(it.error, undefined);
    assert.equal(it.messages.length, 2);
    assert.notEqual(it.lastMessage.id, first);
    assert.deepEqual(texts(it), ['One two.']);
    await it.sendMessage({ text: 'More.' });
    const { runs } = await own(url, 'runs?agent=writer&limit=1');
    const { messages } = await own(url, `threads/${runs[0].thread}/messages`);
    assert.deepEqual(messages.map((message) => message.text), ['Please.', 'One two.', 'More.', 'One two.']);
  },

  async anEarlierMessageIsReplaced(url) {
    const it = await ask(url, 'writer');
    const said = async () => {
      const { runs } = await own(url, 'runs?agent=writer&limit=1');
      const { messages } = await own(url, `threads/${runs[0].thread}/messages`);
      return messages.map((message) => message.text);
    };
    await it.sendMessage({ text: 'More.' });
    await it.sendMessage({ text: 'Else.', messageId: it.messages[2].id });
    assert.equal(it.error, undefined);
    assert.deepEqual(await said(), ['Please.', 'One two.', 'Else.', 'One two.']);
    await it.sendMessage({ text: 'Again.' });
    await it.regenerate({ messageId: it.messages[2].id });
    assert.deepEqual(await said(), ['Please.', 'One two.', 'Else.', 'One two.']);
    await it.sendMessage({
      text: 'First.',
      messageId: it.messages[0].id,
      files: [{ type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${PIXEL}` }],
    });
    assert.equal(it.error, undefined);
    assert.deepEqual(await said(), ['First.', 'One two.']);
    await it.sendMessage({ text: 'Last.' });
    assert.deepEqual(await said(), ['First.', 'One two.', 'Last.', 'One two.']);
  },

  async aMessageIsResumedFromItsBeginning(url) {
    const it = chat(url, 'slow');
    const sent = it.sendMessage({ text: 'Please.' });
    while (it.lastMessage?.role !== 'assistant' || texts(it)[0] !== 'Wait ') {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const other = new Chat(url, 'slow', it.id);
    const resumed = other.resumeStream();
    while (other.lastMessage?.role !== 'assistant' || texts(other)[0] !== 'Wait ') {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(other.lastMessage.id, it.lastMessage.id);
    await it.stop();
    await sent;
    await resumed; // the run was cancelled by the client that left
    await untilStatus(url, 'slow', 'aborted');
    const idle = new Chat(url, 'slow', it.id);
    await idle.resumeStream();
    assert.equal(idle.messages.length, 0);
  },

  async anErrorInMidStreamIsAnError(url) {
    const it = await ask(url, 'broken');
    assert.equal(it.status, 'error');
    assert.match(it.error.message, /model-authentication/);
  },

  async aMessageHasItsUsage(url) {
    const it = await ask(url, 'lead');
    const { usage, totalTokens, stopReason } = it.lastMessage.metadata;
    assert.deepEqual([usage.inputTokens, usage.outputTokens, usage.totalTokens], [30, 15, 45]);
    assert.deepEqual([totalTokens, stopReason], [45, 'finished']);
  },

  async aChatSendsItsNewestMessageAlone(url) {
    const transport = new DefaultChatTransport({
      api: `${url}/ai-sdk/clerk`,
      prepareSendMessagesRequest: ({ id, messages }) => ({ body: { id, message: messages.at(-1) } }),
    });
    const it = await ask(url, 'clerk', {
      transport,
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    await it.addToolApprovalResponse({ id: parts(it, 'dynamic-tool')[0].approval.id, approved: true });
    await untilReady(it);
    assert.equal(it.error, undefined);
    assert.deepEqual(texts(it), ['Paid.']);
    await it.sendMessage({ text: 'More.' });
    const { runs } = await own(url, 'runs?agent=clerk&limit=1');
    const { messages } = await own(url, `threads/${runs[0].thread}/messages`);
    assert.deepEqual(messages.filter((each) => each.role === 'user').map((each) => each.text), ['Please.', 'More.']);
  },

  async anUnknownAgentIsAnError(url) {
    const it = await ask(url, 'nobody');
    assert.equal(it.status, 'error');
    assert.match(it.error.message, /agent-unknown/);
  },
});
