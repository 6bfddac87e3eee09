package dev.chargehand.clients;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.error.ModelException;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** Agents on three levels whose models, tools and hooks do what a seed decides. */
final class GeneratedAgents {

    /** The tool that a client executes. */
    static final String EXTERNAL = "locate";

    private static final int TURNS = 24;
    private static final List<FinishReason> FINISHES = List.of(FinishReason.values());
    private static final List<String> WORDS = List.of(
            "One ", "two.\n", "\r\ndrei\u2028", "\uD83D\uDE80 ", "\"quoted\" ", "\\", "data: [DONE]\n\n", " ", "null");

    record Input(int amount) {}

    private final SplittableRandom random;
    private final Script script = ScriptedModel.script();
    private final boolean network;

    private final Optional<Runnable> stop;

    private GeneratedAgents(SplittableRandom random, boolean network, Optional<Runnable> stop) {
        this.random = random;
        this.network = network;
        this.stop = stop;
    }

    /**
     * Make the agent on top, which has the others.
     *
     * @param stop what some model does before it hangs, if the run is to be stopped
     */
    static Agent make(SplittableRandom random, boolean network, Optional<Runnable> stop) {
        return new GeneratedAgents(random, network, stop).top();
    }

    private Agent top() {
        Agent leaf = agent("leaf", List.of("ok", "pay", "fails", "asks", "missing"), List.of(), false);
        Agent middle = agent("middle", List.of("ok", "pay", "agent-leaf", "agent-leaf"), List.of(leaf), false);
        return agent(
                "top",
                List.of(
                        "ok",
                        "pay",
                        "fails",
                        "asks",
                        EXTERNAL,
                        "agent-middle",
                        "agent-middle",
                        "agent-leaf",
                        "workflow-pricing"),
                List.of(middle, leaf),
                network);
    }

    private Agent agent(String id, List<String> tools, List<Agent> agents, boolean routes) {
        if (routes) {
            decisions(id);
        } else {
            turns(id, tools);
        }
        Model model = script.modelFor(id);
        var builder = Agent.builder(id)
                .description("Does its part.")
                .model(ModelChoice.of(model).orElse(model).orElse(model))
                .tools(tool("ok", false), tool("pay", true), fails(), asks())
                .agents(agents)
                .defaultOptions(this::options);
        if (id.equals("top")) {
            builder.workflows(pricing());
            if (!routes) {
                builder.tools(
                        tool("ok", false),
                        tool("pay", true),
                        fails(),
                        asks(),
                        Tool.external(EXTERNAL, "Returns a place.", JsonSchema.of(Input.class)));
            }
        }
        return builder.build();
    }

    private boolean oneOf(int sides) {
        return random.nextInt(sides) == 0;
    }

    private String word() {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    private void turns(String id, List<String> tools) {
        script.on(id);
        boolean talks = oneOf(3);
        for (int turn = 0; turn < TURNS; turn++) {
            if (oneOf(3)) {
                script.reasons("Hm " + word()).and();
            }
            if (oneOf(talks ? 2 : 8)) {
                script.reasons("More.").and();
            }
            switch (random.nextInt(5)) {
                case 0 -> script.streams("");
                case 1 -> script.says("{\"amount\":" + turn + "}");
                default -> script.streams("a" + turn, word(), word(), "b");
            }
            int calls = Math.max(0, random.nextInt(5) - 1);
            for (int call = 0; call < calls; call++) {
                call(tools.get(random.nextInt(tools.size())));
            }
            ends();
        }
        script.says("End").forever();
    }

    private void call(String tool) {
        String arguments =
                tool.startsWith("agent-") ? "{\"prompt\":\"Do it.\"}" : "{\"amount\":" + random.nextInt(9) + "}";
        script.and().callsRaw(tool, oneOf(12) ? (oneOf(2) ? "{broken" : "") : arguments);
        if (oneOf(2)) {
            script.inPiecesOf(1 + random.nextInt(9));
        }
        if (oneOf(12)) {
            script.withCallId(oneOf(2) ? "same" : null);
        }
        if (oneOf(6)) {
            script.and().streams("after ", word());
        }
        if (oneOf(8)) {
            script.and().reasons("Once more.");
        }
    }

    private void ends() {
        if (oneOf(16)) {
            script.finishes(FINISHES.get(random.nextInt(FINISHES.size())));
        }
        if (stop.isPresent() && oneOf(4)) {
            script.and().does(stop.get()).and().hangs();
        } else if (oneOf(8)) {
            script.and().failsWith(new ModelException(ModelException.Kind.CONNECTION, "It broke.", null));
        } else if (oneOf(50)) {
            script.and().failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "No key.", null));
        } else if (oneOf(6)) {
            script.withoutDeltas();
        }
        script.then();
    }

    private void decisions(String id) {
        script.on(id);
        for (int turn = 0; turn < TURNS; turn++) {
            switch (random.nextInt(8)) {
                case 0 -> script.says("What?");
                case 1 -> script.streams(decision("none", "none", "Wel" + word()));
                case 2 -> script.says(decision("ok", "tool", "{\"amount\":1}"));
                case 3 -> script.says(decision("pay", "tool", "{\"amount\":2}"));
                case 4 -> script.says(decision("asks", "tool", "{\"amount\":3}"));
                case 5 -> script.says(decision("leaf", "agent", "Do it."));
                default -> script.says(decision("middle", "agent", "Do it."));
            }
            script.when("it is to choose", request -> !isCheck(request)).then();
        }
        for (int check = 0; check < 3; check++) {
            script.says(check(false))
                    .when("it is asked whether the task is done", GeneratedAgents::isCheck)
                    .then();
        }
        script.says(check(true))
                .when("it is asked again", GeneratedAgents::isCheck)
                .forever();
    }

    private static boolean isCheck(ModelRequest request) {
        return request.output() != null && request.output().json().text().contains("isComplete");
    }

    private static String check(boolean done) {
        return Json.of(Map.of("isComplete", done, "completionReason", "So.", "finalResult", ""))
                .text();
    }

    private static String decision(String id, String type, String prompt) {
        return Json.of(Map.of(
                        "primitiveId", id, "primitiveType", type, "prompt", prompt, "selectionReason", "It fits."))
                .text();
    }

    private void options(RunOptions.Builder options) {
        options.retries(0).maxSteps(2 + random.nextInt(6));
        long seed = random.nextLong();
        if (oneOf(4)) {
            options.beforeToolCall(call -> decide(seed, call.callId(), 4)
                    ? ToolCallDecision.deny("Not " + call.toolName() + ".")
                    : ToolCallDecision.allow());
        }
        if (oneOf(4)) {
            options.onDelegationStart(start -> decide(seed, start.callId(), 4)
                    ? DelegationDecision.reject("Not now.")
                    : DelegationDecision.proceed());
        }
        if (oneOf(4)) {
            options.onDelegationComplete(end -> {
                if (decide(seed, end.callId() + "broken", 3)) {
                    throw new IllegalStateException("bad hook");
                }
                return decide(seed, end.callId(), 2) ? end.bail() : end.accept();
            });
        }
        if (oneOf(5)) {
            options.onIterationComplete(it ->
                    decide(seed, "it" + it.iteration(), 5) ? IterationDecision.stop() : IterationDecision.proceed());
        }
        if (oneOf(5)) {
            options.completion(Completion.all(Scorer.of(
                    "strict", answer -> decide(seed, "score" + answer.step(), 2) ? Score.pass() : Score.fail("No."))));
        }
        if (!network && oneOf(4)) {
            boolean retry = oneOf(3);
            options.outputProcessors(OutputStepProcessor.of("guard", (context, answer) -> {
                if (!decide(seed, "guard" + context.step() + "/" + context.retryCount(), 4)) {
                    return Processed.unchanged();
                }
                Processed.Aborted<dev.chargehand.model.ModelResponse> aborted = Processed.abort("Not for everybody.");
                return retry ? aborted : aborted.withRetry();
            }));
        }
        if (!network && oneOf(8)) {
            options.structuredOutput(Input.class);
        }
    }

    /** Decide by the seed and what is decided, not by when. */
    private static boolean decide(long seed, String what, int sides) {
        return new SplittableRandom(seed + 31L * what.hashCode()).nextInt(sides) == 0;
    }

    private static Tool tool(String name, boolean approval) {
        var tool = Tool.builder(name, "Does it.").input(Input.class);
        if (approval) {
            tool = tool.requiresApproval();
        }
        return tool.handler((input, context) -> {
                    context.emit("progress", Map.of("done", input.amount()));
                    return input.amount() % 2 == 0 ? Map.of("amount", input.amount()) : "done " + input.amount();
                })
                .build();
    }

    private static Tool fails() {
        return Tool.builder("fails", "Fails.")
                .input(Input.class)
                .handler((input, context) -> {
                    throw new IllegalStateException("It failed.");
                })
                .build();
    }

    private static Tool asks() {
        return Tool.builder("asks", "Asks for data.")
                .input(Input.class)
                .handler((input, context) -> context.providedData()
                        .<Object>map(Json::text)
                        .orElseGet(() -> context.suspend(Map.of("question", "Which?"))))
                .build();
    }

    private static Workflow<Input, Integer> pricing() {
        Step<Input, Integer> price =
                Step.of("price", Input.class, Integer.class, (input, context) -> input.amount() * 100);
        return Workflow.from("pricing", Input.class)
                .description("Prices an order.")
                .then(price)
                .build(Integer.class);
    }
}
