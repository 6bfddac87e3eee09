package dev.chargehand.config.internal.workflow;

import dev.chargehand.config.internal.key.Key;
import dev.chargehand.config.internal.key.KeySection;
import dev.chargehand.config.internal.key.WorkflowKeys;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the entries of one workflow, in order. Used by one thread. */
final class EntryReader {

    private final String workflow;
    private final Mistakes mistakes;
    private final StepReader steps;

    /** Prepare reading; errors name the workflow as {@code workflow 'ordering'}. */
    EntryReader(String workflow, KnownNames known, boolean hasState, Mistakes mistakes) {
        this.workflow = workflow;
        this.mistakes = mistakes;
        this.steps = new StepReader(workflow, known, new KeptOutputs(hasState), mistakes);
    }

    List<EntryDefinition> all(List<Section> items) {
        List<EntryDefinition> entries = new ArrayList<>();
        for (Section item : items) {
            entry(item).ifPresent(entry -> {
                entries.add(entry);
                steps.kept().add(entry);
            });
        }
        return entries;
    }

    private Optional<EntryDefinition> entry(Section item) {
        return steps.kind(item, WorkflowKeys.OfStep.KINDS).flatMap(kind -> switch (kind) {
            case "map" -> steps.mapping(item).map(EntryDefinition.Then::new);
            case "setState" -> steps.patch(item).map(EntryDefinition.Then::new);
            case "sleep" -> Optional.of(sleep(item));
            case "sleepUntil" -> sleepUntil(item);
            case "parallel" -> Optional.of(parallel(item));
            case "branchAll" -> branchAll(item);
            case "branch" -> branch(item);
            default -> work(kind, item);
        });
    }

    private EntryDefinition sleep(Section item) {
        Duration duration = WorkflowKeys.OfStep.SLEEP.in(item);
        return new EntryDefinition.Sleep(steps.id(item, "sleep"), duration == null ? Duration.ofSeconds(1) : duration);
    }

    private Optional<EntryDefinition> sleepUntil(Section item) {
        String id = steps.id(item, "sleepUntil");
        return Optional.ofNullable(pointer(item, "sleepUntil")).map(time -> new EntryDefinition.SleepUntil(id, time));
    }

    private Optional<EntryDefinition> branchAll(Section item) {
        String id = steps.id(item, "branchAll");
        List<EntryDefinition.Case> cases = new ArrayList<>();
        List<Section> items = item.items("branchAll", "a step of 'branchAll' of " + workflow);
        requireSome(items, item, "branchAll");
        for (Section each : items) {
            if (!each.has("when")) {
                mistakes.add(
                        each.at(),
                        "a step of 'branchAll' of " + workflow
                                + " needs 'when': a JSON Pointer to the value that decides whether it is executed.");
            }
            Comparison when = comparison(each, "when");
            inner(each, true).ifPresent(step -> {
                if (when != null) {
                    cases.add(new EntryDefinition.Case(when, step));
                }
            });
        }
        return cases.isEmpty()
                ? Optional.empty()
                : Optional.of(new EntryDefinition.BranchAll(id, cases, cancels(item)));
    }

    private void requireSome(List<Section> items, Section item, String key) {
        if (items.isEmpty() && item.isList(key)) {
            mistakes.add(item.at(key), "'" + key + "' of " + workflow + " is empty. Put at least one step under it.");
        }
    }

    private static boolean cancels(Section item) {
        return Boolean.TRUE.equals(WorkflowKeys.OfStep.ON_FAILURE.in(item));
    }

    private @Nullable Comparison comparison(Section item, String key) {
        ValuePointer pointer = pointer(item, key);
        Setting is = item.has("is") ? item.text("is") : null;
        return pointer == null ? null : new Comparison(pointer, is == null ? "true" : is.text());
    }

    private EntryDefinition parallel(Section item) {
        String id = steps.id(item, "parallel");
        List<Section> items = item.items("parallel", "a step of 'parallel' of " + workflow);
        requireSome(items, item, "parallel");
        return new EntryDefinition.Parallel(
                id, items.stream().map(this::inner).flatMap(Optional::stream).toList(), cancels(item));
    }

    private Optional<EntryDefinition> branch(Section item) {
        String id = steps.id(item, "branch");
        ValuePointer pointer = pointer(item, "branch");
        Map<String, StepDefinition> cases = new LinkedHashMap<>();
        if (item.has("cases")) {
            Section listed = item.section("cases", "'cases' of step '" + id + "' of " + workflow);
            if (listed.keys().isEmpty() && item.isSection("cases")) {
                mistakes.add(
                        item.at("cases"),
                        "'cases' of step '" + id + "' of " + workflow + " is empty. Put a step below each value.");
            }
            listed.keys().forEach(value -> inner(listed.section(
                            value, "case '" + Section.shown(value) + "' of step '" + id + "' of " + workflow))
                    .ifPresent(step -> cases.put(value, step)));
        } else {
            mistakes.add(item.at("branch"), "'branch' of " + workflow + " needs 'cases': a step for each value.");
        }
        if (!item.has("otherwise")) {
            mistakes.add(
                    item.at("branch"),
                    "'branch' of " + workflow
                            + " needs 'otherwise': the step for all other values, or 'otherwise: pass'.");
        }
        StepDefinition otherwise = otherwise(item, id);
        return pointer == null || cases.isEmpty()
                ? Optional.empty()
                : Optional.of(new EntryDefinition.Branch(id, pointer, cases, otherwise));
    }

    private @Nullable StepDefinition otherwise(Section item, String id) {
        String name = "'otherwise' of step '" + id + "' of " + workflow;
        if (item.isSection("otherwise")) {
            return inner(item.section("otherwise", name)).orElse(null);
        }
        Setting word = item.text("otherwise");
        if (word != null && !word.text().strip().equals("pass")) {
            mistakes.add(
                    word.at(), name + " must be a step or the word pass, but is '" + Section.shown(word.text()) + "'.");
        }
        return null;
    }

    private Optional<EntryDefinition> work(String kind, Section item) {
        Optional<StepDefinition> step = steps.step(kind, item);
        requireNo("when", item, "a step of 'branchAll'");
        List<String> repeats =
                Stream.of("foreach", "doWhile", "doUntil").filter(item::has).toList();
        if (repeats.size() > 1) {
            mistakes.add(
                    item.at(repeats.get(1)),
                    "'" + repeats.get(1) + "' is in the same step of " + workflow + " as '" + repeats.getFirst()
                            + "'. Put one of them into a workflow that is the step here.");
        }
        if (item.has("doWhile") || item.has("doUntil")) {
            return loop(item, step);
        }
        if (!item.has("foreach")) {
            return step.map(EntryDefinition.Then::new);
        }
        ValuePointer pointer = pointer(item, "foreach");
        Integer concurrency = WorkflowKeys.OfStep.CONCURRENCY.in(item);
        boolean collect = Boolean.TRUE.equals(WorkflowKeys.OfStep.COLLECT.in(item));
        return pointer == null
                ? Optional.empty()
                : step.map(each -> new EntryDefinition.Foreach(
                        pointer, each, concurrency == null ? 1 : concurrency, collect, cancels(item)));
    }

    private Optional<EntryDefinition> loop(Section item, Optional<StepDefinition> step) {
        boolean until = item.has("doUntil");
        Comparison condition = comparison(item, until ? "doUntil" : "doWhile");
        Integer most = WorkflowKeys.OfStep.AT_MOST.in(item);
        requireNoInput(item, "a loop");
        return condition == null
                ? Optional.empty()
                : step.map(each -> new EntryDefinition.Loop(each, condition, until, most == null ? 10 : most));
    }

    private void requireNo(String key, Section item, String only) {
        if (item.has(key)) {
            mistakes.add(item.at(key), "'" + key + "' of " + workflow + " must be in " + only + ".");
        }
    }

    private void requireNoInput(Section item, String where) {
        if (item.has("tool") && item.has("input")) {
            mistakes.add(
                    item.at("input"),
                    "'input' of a tool in " + where + " of " + workflow + " cannot be used: the value is its"
                            + " arguments there. Put the tool into a workflow that is the step here, which can have an"
                            + " 'input'.");
        }
    }

    private Optional<StepDefinition> inner(Section item) {
        return inner(item, false);
    }

    /** Read a step in parallel or in a case, which is one of those that do some work. */
    private Optional<StepDefinition> inner(Section item, boolean conditional) {
        List<Key<?>> only = WorkflowKeys.OfStep.WORK;
        Optional<String> kind = steps.kind(item, only);
        for (String key : List.of("foreach", "doWhile", "doUntil")) {
            if (item.has(key)) {
                mistakes.add(
                        item.at(key),
                        "'" + key + "' of " + workflow
                                + " must be an entry of its own, or in a workflow that is the step here.");
            }
        }
        if (!conditional) {
            requireNo("when", item, "a step of 'branchAll'");
        }
        requireNoInput(item, "'parallel' or 'branch'");
        return kind.filter(KeySection.names(only)::contains).flatMap(each -> steps.step(each, item));
    }

    private @Nullable ValuePointer pointer(Section item, String key) {
        Setting setting = item.text(key);
        if (setting == null) {
            return null;
        }
        ValuePointer.Parsed parsed =
                ValuePointer.parse(setting.at(), setting.text().strip(), steps.kept());
        if (parsed.pointer() == null) {
            mistakes.add(setting.at(), "'" + key + "' of " + workflow + ": " + parsed.mistake());
        }
        return parsed.pointer();
    }
}
