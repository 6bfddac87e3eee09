package dev.chargehand.tests.golden;

import dev.chargehand.RunResult;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a run stands, in what can be compared: without ids and times.
 *
 * @param status where it stands
 * @param stop why it ended
 * @param text the answer
 * @param messages what it added to the conversation
 * @param usage tokens, by agent
 * @param cost of the tree
 * @param waiting the tools whose calls wait
 * @param thread what its thread holds
 * @param object what came of its structured output; empty if it has none
 * @param task of which task it is an attempt, and which root run has read the result; empty if of none
 */
record Ending(
        String status,
        String stop,
        String text,
        List<String> messages,
        Map<String, String> usage,
        String cost,
        List<String> waiting,
        List<String> thread,
        String object,
        String task) {

    static Ending of(RunResult result, TestRuntime test, String resource) {
        return of(result, result.threadId().map(id -> test.thread(id, resource)).orElse(List.of()), "");
    }

    static Ending of(RunResult result, List<Message> thread, String task) {
        Map<String, String> usage = new TreeMap<>();
        result.usageByAgent().forEach((agent, tokens) -> usage.put(agent, tokens.toString()));
        return new Ending(
                result.status().name(),
                result.stopReason().code(),
                result.text(),
                said(result),
                usage,
                result.cost().stripTrailingZeros().toPlainString(),
                result.pendingApprovals().stream()
                        .map(pending -> pending.path() + " " + pending.toolName() + " "
                                + pending.kind().name())
                        .toList(),
                thread.stream().map(Ending::line).toList(),
                result.structured()
                        .map(Json::of)
                        .map(Json::canonical)
                        .map(Json::text)
                        .orElse(""),
                task);
    }

    /** What a workflow's run did: its steps, and the state that they shared. */
    private static List<String> said(RunResult result) {
        List<String> said = new ArrayList<>();
        result.messages().forEach(message -> said.add(line(message)));
        result.workflowSteps()
                .forEach(step -> said.add(step.path() + " " + step.attempts() + " "
                        + step.output().map(Json::text).or(step::error).orElse("")));
        result.workflowState()
                .ifPresent(state -> said.add("state " + state.canonical().text()));
        return said;
    }

    Json toJson() {
        return Json.of(this);
    }

    static Ending fromJson(Json json) {
        return new Ending(
                text(json, "status"),
                text(json, "stop"),
                text(json, "text"),
                texts(json, "messages"),
                new TreeMap<>(json.at("/usage").orElseThrow().fields().entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey,
                                entry -> entry.getValue().string().orElseThrow()))),
                text(json, "cost"),
                texts(json, "waiting"),
                texts(json, "thread"),
                json.at("/object").flatMap(Json::string).orElse(""),
                json.at("/task").flatMap(Json::string).orElse(""));
    }

    private static String text(Json json, String name) {
        return json.at("/" + name).orElseThrow().string().orElseThrow();
    }

    private static List<String> texts(Json json, String name) {
        return Stream.of(json.at("/" + name).orElseThrow().as(String[].class)).toList();
    }

    private static String line(Message message) {
        return (message.internal() ? "internal " : "") + Wire.line(message);
    }
}
