package dev.chargehand.verify.kill;

import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.verify.kill.plan.Scenario;
import dev.chargehand.verify.kill.plan.Subject;
import dev.chargehand.verify.workflows.RandomWorkflow;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** Compares what killed processes acknowledged and did with what is stored, and with an undisturbed run. */
final class KillCheck {

    private final Subject subject;
    private final Undisturbed undisturbed;
    private final List<Line> lines;
    private final Ledger ledger;
    private final Store store;
    private final BiConsumer<String, String> fault;
    private final Map<String, List<FactEntry>> facts = new HashMap<>();
    private final Map<String, RunRecord> runs = new HashMap<>();

    /**
     * Make the check of a run that was continued until it ended.
     *
     * @param lines what all processes said
     * @param fault hears the kind of a fault and what it is
     */
    KillCheck(
            Subject subject,
            Undisturbed undisturbed,
            List<Line> lines,
            Ledger ledger,
            Store store,
            BiConsumer<String, String> fault) {
        this.subject = subject;
        this.undisturbed = undisturbed;
        this.lines = lines;
        this.ledger = ledger;
        this.store = store;
        this.fault = fault;
    }

    /** Check, and return how many calls a process that had been stopped was inside of that others carried out, too. */
    long check() {
        List<RunRecord> all = store.list(RunFilter.ALL.limit(1000));
        all.forEach(run -> {
            runs.put(run.runId().value(), run);
            facts.put(run.runId().value(), store.read(run.runId(), 0));
        });
        lines.forEach(this::acknowledged);
        long late = nothingDoubled();
        all.stream()
                .filter(run -> !run.status().isEnded())
                .forEach(run -> fault.accept("unresumable", run.path() + " is " + run.status() + " at last"));
        end();
        callersKnow();
        return late;
    }

    private void end() {
        Interruptions interruptions = new Interruptions(lines, facts);
        if (subject instanceof RandomWorkflow workflow) {
            new WorkflowEnd(workflow, lines.getLast(), ledger, interruptions, fault).check();
        } else {
            new ScenarioEnd((Scenario) subject, undisturbed, lines.getLast(), ledger, interruptions, fault)
                    .check(Undisturbed.messages(store));
        }
    }

    /** A caller that got a result got the stored one. */
    private void callersKnow() {
        Line stored = lines.getLast();
        lines.stream()
                .filter(line -> line.word().equals(Line.RESULT))
                .filter(line -> !line.part(0).equals(RunStatus.SUSPENDED.name()) && !line.equals(stored))
                .forEach(line -> fault.accept("lost_callers", line.text() + " instead of " + stored.text()));
    }

    private void acknowledged(Line line) {
        switch (line.word()) {
            case Line.STORED -> stored(line);
            case Line.EVENT -> told(Json.parse(line.part(0)));
            case Line.ANSWERED -> {
                boolean there = facts(Fact.CallDecided.class).stream()
                        .anyMatch(fact -> fact.callId().equals(line.part(0))
                                && String.valueOf(fact.waitNumber()).equals(line.part(1))
                                && isAnswer(fact.answer(), line.part(2)));
                require(there, line);
            }
            case Line.RESULT -> {
                boolean ended = RunStatus.valueOf(line.part(0)).isEnded();
                require(!ended || rootStatus().equals(line.part(0)), line);
            }
            default -> {}
        }
    }

    private static boolean isAnswer(CallAnswer answer, String order) {
        return answer
                == switch (order) {
                    case "approve" -> CallAnswer.APPROVED;
                    case "decline" -> CallAnswer.DECLINED;
                    default -> CallAnswer.DATA;
                };
    }

    private void stored(Line line) {
        if (line.part(0).equals("fact")) {
            List<FactEntry> run = facts.getOrDefault(line.part(1), List.of());
            int place = Integer.parseInt(line.part(2));
            require(place < run.size() && Acknowledged.hash(run.get(place)).equals(line.part(3)), line);
        } else {
            require(messageIds(line.part(1)).contains(line.part(2)), line);
        }
    }

    /** A run whose first facts could not be stored fails for its caller only, by events without ids. */
    private void told(Json event) {
        String callId = event.at("/callId").flatMap(Json::string).orElse("");
        String run = event.at("/runId").flatMap(Json::string).orElse("");
        if (event.at("/id").isEmpty() && !runs.containsKey(run)) {
            return;
        }
        boolean there =
                switch (ordinary(event.at("/type").flatMap(Json::string).orElse(""))) {
                    case "run-start", "workflow-start" -> runs.containsKey(run);
                    case "run-finish", "workflow-finish" ->
                        runs.containsKey(run) && runs.get(run).status().isEnded();
                    case "tool-call" ->
                        facts(Fact.Answered.class).stream().anyMatch(fact -> fact.calls().stream()
                                .anyMatch(call -> call.callId().equals(callId)));
                    case "delegation-start", "workflow-step-start" ->
                        facts(Fact.CallOpened.class).stream()
                                .anyMatch(fact -> fact.callId().equals(callId));
                    case "workflow-step-retry" ->
                        facts(RoundFact.CallRetried.class).stream()
                                .anyMatch(fact -> fact.callId().equals(callId));
                    case "tool-result", "tool-error", "delegation-end", "workflow-step-result" ->
                        facts(Fact.CallClosed.class).stream()
                                .anyMatch(fact -> fact.callId().equals(callId));
                    case "tool-call-approval", "tool-call-suspended" ->
                        facts(Fact.CallParked.class).stream()
                                .anyMatch(fact -> event.text().contains(fact.callId()));
                    default -> true;
                };
        if (!there) {
            fault.accept("lost", "it was told, and is not stored: " + event.text());
        }
    }

    /** Return what an event of a network is called elsewhere. */
    private static String ordinary(String type) {
        return switch (type) {
            case "tool-execution-start" -> "tool-call";
            case "tool-execution-end" -> "tool-result";
            case "agent-execution-start" -> "delegation-start";
            case "agent-execution-end" -> "delegation-end";
            case "agent-execution-event-start" -> "run-start";
            case "agent-execution-event-finish" -> "run-finish";
            default -> type.replaceFirst("^(agent|tool)-execution-event-", "");
        };
    }

    private void require(boolean there, Line acknowledged) {
        if (!there) {
            fault.accept("lost", "it was acknowledged, and is not stored: " + acknowledged.text());
        }
    }

    private long nothingDoubled() {
        Map<String, String> keyOfSlot = new HashMap<>();
        Map<String, String> slotOfKey = new HashMap<>();
        Set<String> once = new HashSet<>();
        Set<String> afterStop = new HashSet<>();
        for (Ledger.Entry entry : ledger.entries()) {
            String first = keyOfSlot.putIfAbsent(entry.slot(), entry.key());
            if (first != null && !first.equals(entry.key())) {
                fault.accept("doubled", entry.slot() + " was done under two keys: " + ledger.of(entry.slot()));
            }
            if (!slotOfKey.computeIfAbsent(entry.key(), key -> entry.slot()).equals(entry.slot())) {
                fault.accept("doubled", entry + " has the key of " + slotOfKey.get(entry.key()));
            }
            Set<String> done = entry.late() ? afterStop : once;
            if (!subject.isRepeatable(entry.tool()) && !done.add(entry.once())) {
                fault.accept("doubled", entry + " was done twice: " + ledger.of(entry.slot()));
            }
        }
        unique(
                "ends of a call",
                facts(Fact.CallClosed.class).stream()
                        .map(Fact.CallClosed::callId)
                        .toList());
        unique(
                "answers",
                facts(Fact.CallDecided.class).stream()
                        .map(fact -> fact.callId() + " " + fact.waitNumber())
                        .toList());
        facts.forEach((run, entries) -> {
            unique("steps", inRun(run, Fact.Answered.class, Fact.Answered::step));
            unique("rounds", inRun(run, RoundFact.Planned.class, RoundFact.Planned::round));
            unique("ends of a round", inRun(run, RoundFact.RoundClosed.class, RoundFact.RoundClosed::round));
        });
        return afterStop.stream().filter(once::contains).count();
    }

    private <F extends Fact> List<String> inRun(String run, Class<F> kind, Function<F, Integer> number) {
        return read(facts.getOrDefault(run, List.of()), kind)
                .map(fact -> run + " " + number.apply(fact))
                .toList();
    }

    private void unique(String what, List<String> keys) {
        Set<String> seen = new HashSet<>();
        keys.stream()
                .filter(key -> !seen.add(key))
                .forEach(key -> fault.accept("doubled", "there are two " + what + ": " + key));
    }

    private String rootStatus() {
        return runs.values().stream()
                .filter(RunRecord::isRoot)
                .map(run -> run.status().name())
                .findFirst()
                .orElse("");
    }

    private Set<String> messageIds(String thread) {
        Set<String> ids = new HashSet<>();
        store.findThread(thread)
                .map(ThreadRecord::owner)
                .ifPresent(owner -> store.readThread(thread, owner, Long.MAX_VALUE, 10_000).stream()
                        .map(ThreadEntry::messageId)
                        .forEach(ids::add));
        return ids;
    }

    private <F extends Fact> List<F> facts(Class<F> kind) {
        return facts.values().stream().flatMap(entries -> read(entries, kind)).toList();
    }

    private static <F extends Fact> Stream<F> read(List<FactEntry> entries, Class<F> kind) {
        return entries.stream().map(FactCodec::read).filter(kind::isInstance).map(kind::cast);
    }
}
