package dev.chargehand.server.internal.wire.mastra.workflow;

import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.view.WorkflowPicture;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Workflows in the forms that Mastra's client reads. */
public final class WorkflowViews {

    private WorkflowViews() {}

    /** Return what the client reads of a workflow. */
    public static Map<String, Object> workflow(Workflow<?, ?> workflow) {
        Map<String, Object> fields = new LinkedHashMap<>();
        Map<String, Object> steps = new LinkedHashMap<>();
        for (Entry entry : workflow.entries()) {
            entry.steps().forEach(step -> steps.put(step.id(), described(step)));
        }
        fields.put("name", workflow.name());
        fields.put("description", workflow.description());
        fields.put("steps", steps);
        fields.put("allSteps", steps);
        fields.put("stepGraph", graph(workflow));
        fields.put("mermaid", WorkflowPicture.of(workflow).mermaid());
        fields.put("inputSchema", workflow.input().json().text()); // its client parses a text
        fields.put("outputSchema", workflow.output().json().text());
        workflow.state()
                .ifPresent(schema -> fields.put("stateSchema", schema.json().text()));
        return fields;
    }

    /** Return the entries of a workflow in the forms that the client declares; functions have no text. */
    static List<Map<String, Object>> graph(Workflow<?, ?> workflow) {
        return workflow.entries().stream().map(WorkflowViews::described).toList();
    }

    private static Map<String, Object> described(Entry entry) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", entry.id());
        switch (entry) {
            case Entry.Then then -> fields.putAll(node(then.step()));
            case Entry.Mapping ignored -> {
                fields.put("type", "mapping");
                fields.put("mapConfig", "");
            }
            case Entry.Parallel parallel -> {
                fields.put("type", "parallel");
                fields.put("steps", nodes(parallel));
            }
            case Entry.Branch branch -> putCases(fields, branch, branch.cases());
            case Entry.BranchAll branch -> putCases(fields, branch, branch.cases());
            case Entry.Loop loop -> {
                fields.put("type", "loop");
                fields.put("step", node(loop.step()));
                fields.put("serializedCondition", condition(loop.id()));
                fields.put("loopType", loop.until() ? "dountil" : "dowhile");
            }
            case Entry.Foreach each -> {
                fields.put("type", "foreach");
                fields.put("step", node(each.step()));
                fields.put("opts", Map.of("concurrency", each.concurrency()));
            }
            case Entry.Sleep sleep -> {
                fields.put("type", sleep.isComputed() ? "sleepUntil" : "sleep");
                Optional.ofNullable(sleep.duration()).ifPresent(time -> fields.put("duration", time.toMillis()));
            }
        }
        return fields;
    }

    private static void putCases(Map<String, Object> fields, Entry entry, List<Entry.Case> cases) {
        fields.put("type", "conditional");
        fields.put("steps", nodes(entry));
        List<Map<String, Object>> conditions = new ArrayList<>();
        cases.forEach(each -> conditions.add(condition(each.name())));
        if (entry.steps().size() > cases.size()) {
            conditions.add(condition("otherwise"));
        }
        fields.put("serializedConditions", conditions);
    }

    private static Map<String, Object> condition(String id) {
        return Map.of("id", id, "fn", "");
    }

    private static List<Map<String, Object>> nodes(Entry entry) {
        return entry.steps().stream().map(WorkflowViews::node).toList();
    }

    /** Return a step as a node of the graph: one that is a workflow has its graph. */
    private static Map<String, Object> node(Step<?, ?> step) {
        return step.delegate().orElse(null) instanceof Workflow<?, ?> nested
                ? Map.of(
                        "type", "workflow",
                        "id", step.id(),
                        "workflowId", nested.id(),
                        "serializedStepFlow", graph(nested))
                : Map.of("type", "step", "step", Map.of("id", step.id()));
    }

    private static Map<String, Object> described(Step<?, ?> step) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", step.id());
        fields.put("isWorkflow", step.delegate().orElse(null) instanceof Workflow<?, ?>);
        fields.put("inputSchema", step.input().json().text());
        fields.put("outputSchema", step.output().json().text());
        step.question()
                .ifPresent(schema -> fields.put("suspendSchema", schema.json().text()));
        step.answer()
                .ifPresent(schema -> fields.put("resumeSchema", schema.json().text()));
        return fields;
    }
}
