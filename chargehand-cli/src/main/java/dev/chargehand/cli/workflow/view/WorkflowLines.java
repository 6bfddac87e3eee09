package dev.chargehand.cli.workflow.view;

import dev.chargehand.cli.output.Amounts;
import dev.chargehand.cli.output.Table;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.view.StepProgress;
import dev.chargehand.workflow.view.StepState;
import dev.chargehand.workflow.view.WorkflowPicture;
import dev.chargehand.workflow.view.WorkflowProgress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Shows workflows, and how far a run has come in them. */
public final class WorkflowLines {

    private static final int LONGEST = 110;
    private static final String NONE = "–";

    private WorkflowLines() {}

    /** Return the columns of a list of workflows: id, version, number of steps, description. */
    public static List<String> row(Workflow<?, ?> workflow) {
        return List.of(
                workflow.id(),
                "version " + Visible.line(workflow.version(), 64),
                Amounts.count(workflow.entries().size(), "step"),
                Visible.line(workflow.description(), LONGEST));
    }

    /** Return lines that show a definition: its schemas and its entries. */
    public static List<String> of(Workflow<?, ?> workflow) {
        List<String> lines = new ArrayList<>();
        lines.add(workflow.id() + ", version " + Visible.line(workflow.version(), 64)
                + (workflow.description().isEmpty() ? "" : ": " + Visible.line(workflow.description(), 500)));
        lines.add("");
        List<List<String>> rows = new ArrayList<>();
        workflow.entries().forEach(entry -> rows.add(List.of(kind(entry), entry.id(), steps(entry))));
        Table.lines(rows).forEach(line -> lines.add("  " + line));
        lines.add("");
        lines.add("input:  " + schema(workflow.input()));
        lines.add("output: " + schema(workflow.output()));
        return lines;
    }

    private static String kind(Entry entry) {
        return entry instanceof Entry.Foreach foreach && foreach.concurrency() > 1
                ? entry.kind() + ", " + foreach.concurrency() + " at once"
                : entry.kind();
    }

    private static String steps(Entry entry) {
        return switch (entry) {
            case Entry.Branch branch ->
                branch.cases().stream()
                                .map(each -> each.name() + ": " + step(each.step()))
                                .collect(Collectors.joining("; "))
                        + "; otherwise: "
                        + (branch.otherwise() == null ? "pass" : step(branch.otherwise()));
            case Entry.Sleep sleep -> sleep.duration() == null ? "" : Amounts.seconds(sleep.duration());
            default -> entry.steps().stream().map(WorkflowLines::step).collect(Collectors.joining("; "));
        };
    }

    private static String step(Step<?, ?> step) {
        return step.delegate()
                        .map(delegate -> (delegate instanceof Workflow<?, ?> ? "workflow " : "agent ") + delegate.id())
                        .or(() -> step.tool().map(tool -> "tool " + tool.name()))
                        .orElseGet(() -> (step.question().isPresent() ? "question " : "function ") + step.id())
                + (step.retries() == 0 ? "" : ", " + Amounts.count(step.retries() + 1, "attempt"));
    }

    private static String schema(JsonSchema schema) {
        String text = schema.json().text();
        return text.equals("{}") ? "any value" : Visible.line(text, 500);
    }

    /** Return a definition as one JSON object. */
    public static Json json(Workflow<?, ?> workflow) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", workflow.id());
        fields.put("version", workflow.version());
        fields.put("description", workflow.description());
        fields.put("input", workflow.input().json());
        fields.put("output", workflow.output().json());
        fields.put("shape", workflow.shape());
        fields.put("mermaid", WorkflowPicture.of(workflow).mermaid());
        return Json.of(fields);
    }

    /** Return a line for each step of a run: its place, its state, its attempts, its duration and its error. */
    public static List<String> steps(WorkflowProgress progress) {
        return Table.lines(progress.steps().stream().map(WorkflowLines::row).toList());
    }

    private static List<String> row(StepProgress step) {
        return List.of(
                place(step),
                word(step.state()),
                step.attempts() == 0 ? NONE : Amounts.count(step.attempts(), "attempt"),
                step.duration().map(Amounts::seconds).orElse(NONE),
                step.error().map(error -> Visible.line(error, LONGEST)).orElse(""));
    }

    /** Return each step of a run as JSON. */
    public static List<Json> json(WorkflowProgress progress) {
        return progress.steps().stream().map(WorkflowLines::json).toList();
    }

    private static Json json(StepProgress step) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("runId", step.runId().value());
        fields.put("step", place(step));
        fields.put("iteration", step.iteration());
        fields.put("state", word(step.state()));
        fields.put("attempts", step.attempts());
        step.startedAt().ifPresent(at -> fields.put("startedAt", at.toString()));
        step.duration().ifPresent(duration -> fields.put("durationMillis", duration.toMillis()));
        step.error().ifPresent(error -> fields.put("error", error));
        return Json.of(fields);
    }

    /** The path below the root run, as {@code delivery/ship}; an iteration after the first is named. */
    private static String place(StepProgress step) {
        List<String> above = step.path().segments();
        String prefix = above.stream().skip(1).map(part -> part + "/").collect(Collectors.joining());
        return Visible.line(prefix + step.stepPath(), 200) + (step.iteration() > 1 ? " #" + step.iteration() : "");
    }

    private static String word(StepState state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
