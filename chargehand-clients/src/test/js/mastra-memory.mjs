// Mastra's client for JavaScript: threads and their messages, working memory, and what is not offered.

import assert from 'node:assert/strict';
import { agentOf, chunksOf, clientOf, stream, textOf } from './mastra-client.mjs';
import { run } from './scenarios.mjs';

await run({
  async threadsAreKept(url) {
    const client = clientOf(url);
    const thread = await client.createMemoryThread({
      agentId: 'writer',
      resourceId: 'ann',
      threadId: 'holidays',
      title: 'Holidays',
    });
    await stream(url, 'writer', { memory: { thread: 'holidays', resource: 'ann' } });
    const found = client.getMemoryThread({ threadId: 'holidays', agentId: 'writer' });
    assert.equal((await found.get()).id, thread.id);
    const { messages, uiMessages, total } = await found.listMessages();
    assert.deepEqual(messages.map((each) => [each.role, each.content.content]), [
      ['user', 'Please.'],
      ['assistant', 'One two.'],
    ]);
    assert.equal(uiMessages[1].parts[0].text, 'One two.');
    assert.equal(total, 2);
    assert.equal((await found.update({ title: 'Trips', metadata: {}, resourceId: 'ann' })).title, 'Trips');
    const { threads } = await client.listMemoryThreads({ agentId: 'writer', resourceId: 'ann' });
    assert.ok(threads.some((each) => each.id === thread.id));
    const clone = await found.clone();
    assert.equal(clone.clonedMessages.length, 2);
    await found.delete();
    await assert.rejects(found.get(), (e) => e.status === 404);
    assert.equal((await client.getMemoryStatus('writer')).result, true);
  },

  async aPageOfMessagesHasCallsAndTheirResults(url) {
    const memory = { thread: 'weather', resource: 'ann' };
    assert.equal(textOf(await chunksOf(await agentOf(url, 'cook').streamUntilIdle('Please.', { memory }))), 'It is sunny.');
    const thread = clientOf(url).getMemoryThread({ threadId: 'weather', agentId: 'cook' });
    const { messages, uiMessages } = await thread.listMessages();
    assert.deepEqual(messages.map((each) => each.content.parts.map((part) => part.type)), [
      ['text'],
      ['tool-invocation'],
      ['text'],
    ]);
    const { toolInvocation } = messages[1].content.parts[0];
    assert.deepEqual(
      { ...toolInvocation, toolCallId: '' },
      {
        state: 'result',
        toolCallId: '',
        toolName: 'weather',
        args: { city: 'Rome' },
        result: { sky: 'blue', city: 'Rome' },
      },
    );
    assert.deepEqual(uiMessages[1].parts, messages[1].content.parts);
    const older = await thread.listMessages({ page: 1, perPage: 2 });
    assert.equal(older.messages.at(-1).content.parts[0].toolInvocation.state, 'result');
  },

  async aPageOfThreadsHasTheirNumber(url) {
    const client = clientOf(url);
    for (const threadId of ['one', 'two', 'three']) {
      await client.createMemoryThread({ agentId: 'writer', resourceId: 'ann', threadId });
    }
    const page = (perPage) => client.listMemoryThreads({ agentId: 'writer', resourceId: 'ann', perPage });
    const { threads, total } = await page(100);
    assert.equal(total, threads.length);
    assert.ok(total > 2);
    const first = await page(1);
    assert.deepEqual([first.threads.length, first.total, first.hasMore], [1, total, true]);
  },

  async messagesAreStoredFoundAndDeleted(url) {
    const client = clientOf(url);
    await client.createMemoryThread({ agentId: 'writer', resourceId: 'ann', threadId: 'notes', title: 'Notes' });
    const { messages: saved } = await client.saveMessageToMemory({
      agentId: 'writer',
      messages: [
        { id: 'm1', role: 'user', content: 'The boat is blue.', threadId: 'notes', resourceId: 'ann', type: 'text' },
        {
          id: 'm2',
          role: 'assistant',
          content: { format: 2, parts: [{ type: 'text', text: 'I see.' }] },
          threadId: 'notes',
          resourceId: 'ann',
        },
      ],
    });
    assert.deepEqual(saved.map((each) => [each.id, each.content.content]), [['m1', 'The boat is blue.'], ['m2', 'I see.']]);
    const search = { agentId: 'writer', resourceId: 'ann', searchQuery: 'BLUE' };
    const found = await client.searchMemory(search);
    assert.equal(found.count, 1);
    assert.equal(found.results[0].content, 'The boat is blue.');
    assert.equal(found.results[0].threadTitle, 'Notes');
    assert.equal(found.searchScope, 'resource');
    const thread = client.getMemoryThread({ threadId: 'notes', agentId: 'writer' });
    assert.equal((await thread.deleteMessages([{ id: 'm1' }])).success, true);
    assert.deepEqual((await thread.listMessages()).messages.map((each) => each.id), ['m2']);
    assert.equal((await client.searchMemory({ ...search, threadId: 'notes' })).count, 0);
    await assert.rejects(thread.deleteMessages('m1'), (e) => e.status === 404);
  },

  async aWorkingMemoryIsReadAndChanged(url) {
    const client = clientOf(url);
    const place = { agentId: 'diary', threadId: 'diary', resourceId: 'ann' };
    await client.createMemoryThread({ ...place, title: 'Diary' });
    const before = await client.getWorkingMemory(place);
    assert.equal(before.workingMemory, null);
    assert.equal(before.workingMemoryTemplate.content, '# Notes');
    assert.equal(before.threadExists, true);
    assert.equal((await client.updateWorkingMemory({ ...place, workingMemory: '# Likes boats' })).success, true);
    assert.equal((await client.getWorkingMemory({ agentId: 'diary', threadId: 'diary' })).workingMemory, '# Likes boats');
  },

  async whatIsNotOfferedIsMissing(url) {
    const client = clientOf(url);
    const agent = agentOf(url, 'writer');
    const place = { resourceId: 'ann', threadId: 'holidays' };
    const missing = [
      () => agentOf(url, 'nobody').generate('Please.'),
      () => client.getTool('weather').execute({ data: {} }),
      () => agentOf(url, 'cook').executeTool('weather', { data: {} }),
      () => agent.generateLegacy({ messages: 'Please.' }),
      () => agent.streamLegacy({ messages: 'Please.' }),
      () => agent.sendMessage({ message: 'Please.', ...place }),
      () => agent.queueMessage({ message: 'Please.', ...place }),
      () => agent.subscribeToThread(place),
      () => agent.abortThread(place),
      () => agent.sendToolApproval({ runId: 'r', toolCallId: 'c', approved: true }),
      () => agent.recover({ runId: 'r' }),
      () => agent.listVersions(),
      () => agent.updateModel({ modelId: 'm', provider: 'p' }),
      () => client.getMemoryThread({ threadId: 'holidays', agentId: 'writer' }).transfer({ resourceId: 'bob' }),
      () => client.getObservationalMemory({ agentId: 'writer' }),
      () => client.listScorers(),
      () => client.listTraces(),
      () => client.listLogs({ transportId: 't' }),
      () => client.listLogTransports(),
      () => client.getMcpServers(),
      () => client.listBackgroundTasks(),
      () => client.listSchedules(),
      () => client.listVectors(),
      () => client.listStoredAgents(),
      () => client.listDatasets(),
      () => client.listWorkspaces(),
    ];
    for (const call of missing) {
      await assert.rejects(call(), (e) => e.status === 404 && typeof e.body.error === 'string', String(call));
    }
    const clientTools = { f: { id: 'f', description: 'F.', inputSchema: { type: 'object' } } };
    await assert.rejects(agentOf(url, 'writer').generate('Please.', { clientTools }), (e) => e.status === 400);
  },
});
