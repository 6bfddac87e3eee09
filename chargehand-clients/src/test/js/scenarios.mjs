// Runs scenarios one after the other and reports each on a line of its own.

const TIME_LIMIT = 30_000;

/** Runs the scenarios of a client against each of the servers in the first argument, `name=address,…`. */
export async function run(scenarios) {
  for (const [server, url] of process.argv[2].split(',').map((place) => place.split('='))) {
    for (const [name, scenario] of Object.entries(scenarios)) {
      const error = await errorOf(() => scenario(url));
      process.stdout.write(JSON.stringify({ scenario: `${name} of ${server}`, error }) + '\n');
    }
  }
  process.exit(0);
}

/** Returns how a scenario has failed, or null. */
async function errorOf(scenario) {
  let timer;
  const late = new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${TIME_LIMIT} ms`)), TIME_LIMIT);
  });
  try {
    await Promise.race([scenario(), late]);
    return null;
  } catch (e) {
    return e?.stack ?? String(e);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns what a GET of the server's own API answers. */
export async function own(url, path, headers = {}) {
  const response = await fetch(`${url}/api/v1/${path}`, { headers });
  return response.json();
}

/** Answers a waiting call on the server's own API. */
export async function answer(url, id, decision) {
  const call = await own(url, `approvals/${id}`);
  const response = await fetch(`${url}/api/v1/approvals/${id}/answer`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ decision, digest: call.digest }),
  });
  return response.status;
}

/** Waits until the runs of an agent have a status; the time limit of the scenario ends the wait. */
export async function untilStatus(url, agent, status, headers) {
  for (;;) {
    const { runs } = await own(url, `runs?agent=${agent}&limit=1`, headers);
    if (runs[0]?.status === status) {
      return runs[0];
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Returns all values of an asynchronous sequence. */
export async function all(sequence) {
  const values = [];
  for await (const value of sequence) {
    values.push(value);
  }
  return values;
}

/** Waits until a condition holds; the time limit of the scenario ends the wait. */
export async function until(condition) {
  while (!(await condition())) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
