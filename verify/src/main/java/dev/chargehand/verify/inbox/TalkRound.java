package dev.chargehand.verify.inbox;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.verify.inbox.Talker.Sent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Send the same messages under the same keys from two processes while a run works, ends or is cancelled by several at once:
 * each that has an id is once in the conversation or is listed as unread, and has that id for all, also after the end.
 */
final class TalkRound {

    /** What the process is called that executes the run. */
    private static final String HERE = "here";

    private static final int MOST_NANOS = 20_000_000;
    private static final int LONG = 2_000;
    private static final int PAGE = 1_000;

    private final AgentRuntime runtime;
    private final BiConsumer<String, String> fault;
    private final Collection<List<String>> heard = new ConcurrentLinkedQueue<>();
    private String what = "";

    /**
     * Make it.
     *
     * @param runtime executes the runs
     * @param fault hears the kind of a fault and what it is
     */
    TalkRound(AgentRuntime runtime, BiConsumer<String, String> fault) {
        this.runtime = runtime;
        this.fault = fault;
    }

    /** Receive what the model is given. */
    void hear(List<String> said) {
        heard.add(said);
    }

    /** Play one, and return how many messages it had. */
    int play(Talk.End end, SplittableRandom random, List<Sender> senders) throws IOException {
        heard.clear();
        int steps = random.nextInt(12);
        String thread = "t" + random.nextLong();
        RunHandle started = runtime.agent(TalkAgents.LISTENER)
                .start(TalkAgents.prompt(end, steps), o -> o.thread(thread)
                        .maxSteps(end == Talk.End.STEPS ? steps + 1 : LONG)
                        .limit(Limit.TOOL_CALLS, LONG)
                        .limit(Limit.MODEL_CALLS, LONG));
        RunId run = started.runId();
        if (end == Talk.End.CANCEL_WAITING && started.result().status() != RunStatus.SUSPENDED) {
            wrong("run " + run + " does not wait");
        }
        Talk talk = new Talk(run, random.nextLong(), end);
        what = end + " of run " + run + ": ";
        for (Sender sender : senders) {
            sender.send(talk.line());
        }
        List<Sent> sent = new ArrayList<>();
        if (end.isCancel() && random.nextBoolean()) {
            LockSupport.parkNanos(random.nextInt(MOST_NANOS));
            sent.add(new Talker(runtime, HERE).cancel(talk));
        }
        for (Sender sender : senders) {
            sent.addAll(sender.sent());
        }
        RunResult result = runtime.handle(run).result();
        List<RunEvent.RunFinish> finishes = runtime.history(run).stream()
                .filter(RunEvent.RunFinish.class::isInstance)
                .map(RunEvent.RunFinish.class::cast)
                .toList();
        checkEnd(end, result, finishes, sent);
        List<String> unread = finishes.stream()
                .filter(finish -> finish.runId().equals(run))
                .flatMap(finish -> finish.unread().stream())
                .toList();
        List<String> inThread = runtime.threads().lastMessages(ThreadOwner.of(null), thread, PAGE).stream()
                .map(ThreadMessage::text)
                .toList();
        for (String key : Talk.KEYS) {
            checkMessage(key, of(sent, key), unread, inThread);
        }
        return Talk.KEYS.size();
    }

    private static List<Sent> of(List<Sent> sent, String key) {
        return sent.stream().filter(each -> each.key().equals(key)).toList();
    }

    private void checkEnd(Talk.End end, RunResult result, List<RunEvent.RunFinish> finishes, List<Sent> sent) {
        StopReason reason = result.stopReason();
        boolean expected =
                switch (end) {
                    case DONE -> result.status() == RunStatus.COMPLETED && reason instanceof StopReason.Finished;
                    case STEPS -> reason.code().equals("max-steps-reached");
                    case CANCEL, CANCEL_WAITING -> result.status() == RunStatus.ABORTED;
                };
        if (!expected) {
            wrong("it ended as " + result.status() + ", " + reason + " after " + sent);
        }
        for (RunEvent.RunFinish finish : finishes) {
            if (end.isCancel() && !finish.stopReason().equals(reason)) {
                wrong("it ended by " + reason + ", and run " + finish.runId() + " of it by " + finish.stopReason());
            }
        }
        sent.stream()
                .filter(each -> each.what().equals(Talker.END) && !each.answer().equals(reason.toString()))
                .forEach(each -> wrong("it ended by " + reason + ", and for another process by " + each.answer()));
        if (reason instanceof StopReason.Cancelled by
                && sent.stream()
                        .noneMatch(each -> each.what().equals(Talker.CANCEL)
                                && each.sender().equals(by.reason())
                                && each.answer().equals("true"))) {
            wrong("it ended by " + by + " after " + sent);
        }
    }

    private void checkMessage(String key, List<Sent> sent, List<String> unread, List<String> inThread) {
        Set<String> answers = sent.stream().map(Sent::answer).collect(Collectors.toSet());
        answers.remove(Talker.DISPUTED);
        if (answers.size() != 1 || answers.iterator().next().startsWith("threw")) {
            wrong(key + " was answered " + sent);
            return;
        }
        String id = answers.iterator().next();
        Set<String> accepted = sent.stream()
                .filter(each -> !each.answer().equals(Talker.DISPUTED))
                .map(each -> Talk.text(key, each.sender()))
                .collect(Collectors.toSet());
        if (accepted.size() != 1 && !id.equals(Talker.NONE)) {
            wrong(key + " has two texts: " + sent);
            return;
        }
        boolean isStored = !id.equals(Talker.NONE);
        for (String text : new HashSet<>(List.of(Talk.text(key, "one"), Talk.text(key, "two")))) {
            int seen = heard.stream()
                    .mapToInt(said -> Collections.frequency(said, text))
                    .max()
                    .orElse(0);
            int left = isStored && accepted.contains(text) ? Collections.frequency(unread, id) : 0;
            int kept = Collections.frequency(inThread, text);
            int due = isStored && accepted.contains(text) ? 1 : 0;
            int received = Math.max(seen, kept); // a cancel may end the run between the two
            if (received + left != due) {
                fault.accept(
                        received + left < due ? "lost" : "doubled",
                        what + text + " was seen " + seen + " times, is unread " + left + " times, and is " + kept
                                + " times in the thread, after " + sent);
            }
        }
    }

    private void wrong(String text) {
        fault.accept("wrong", what + text);
    }
}
