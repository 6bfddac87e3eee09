package dev.chargehand.verify.kill.plan;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.event.RunListener;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.processor.UnicodeNormalizer;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Store;
import dev.chargehand.tool.InterruptedCallPolicy;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolContext;
import dev.chargehand.verify.scripted.ConversationModel;
import java.util.List;

/**
 * The agents of all scenarios: a boss, its sub-agent lead, a clerk as the lead's sub-agent, and the same tools for all.
 */
final class KillCrew {

    static final String BOSS = "boss";
    static final String BAILING = "bailing";
    static final String SCORED = "scored";
    static final String ROUTER = "router";
    static final String TYPED = "typed";
    static final String GUARDED = "guarded";

    /** What the answer of {@link #TYPED} is to be. */
    record Report(String outcomes) {}

    private static final JsonSchema SLOT = JsonSchema.of(Json.parse(
            "{\"type\":\"object\",\"properties\":{\"slot\":{\"type\":\"string\"}},\"required\":[\"slot\"]}"));

    private final EffectSink effects;

    KillCrew(EffectSink effects) {
        this.effects = effects;
    }

    AgentRuntime runtime(Store store, TimeSource time, RunListener listener) {
        Agent clerk = agent("clerk").build();
        Agent lead = agent("lead").agents(clerk).build();
        return AgentRuntime.builder()
                .store(store)
                .timeSource(time)
                .providers()
                .anyoneMayApprove()
                .addListener(listener)
                .agents(
                        agent(BOSS).agents(lead, clerk).build(),
                        agent(ROUTER)
                                .model(RoutingModel.named(ROUTER))
                                .agents(lead, clerk)
                                .build(),
                        agent(TYPED)
                                .model(new ConversationModel(TYPED, KillCrew::report))
                                .agents(lead, clerk)
                                .defaultOptions(o -> o.structuredOutput(StructuredOutput.of(Report.class)))
                                .build(),
                        agent(GUARDED)
                                .agents(lead, clerk)
                                .defaultOptions(o -> o.inputProcessors(UnicodeNormalizer.nfkc())
                                        .outputProcessors(
                                                OutputStepProcessor.of(
                                                        "final",
                                                        (context, answer) -> isDraft(answer)
                                                                ? Processed.retry("Say that it is final.")
                                                                : Processed.unchanged()),
                                                OutputResultProcessor.of(
                                                        "signed",
                                                        (context, text) -> Processed.rewritten(text + ", signed"))))
                                .build(),
                        agent(BAILING)
                                .agents(lead, clerk)
                                .defaultOptions(o ->
                                        o.onDelegationComplete(d -> d.key().equals("clerk") ? d.bail() : d.accept()))
                                .build(),
                        agent(SCORED)
                                .agents(lead, clerk)
                                .defaultOptions(o -> o.completion(Completion.all(Scorer.of(
                                        "good",
                                        context -> context.text().endsWith(PlanModel.GOOD)
                                                ? Score.pass()
                                                : Score.fail("Say that it is final.")))))
                                .build())
                .build();
    }

    /** Report all outcomes as an object after an object was requested. */
    private static ModelResponse report(List<Message> conversation) {
        ModelResponse answer = PlanModel.answer(conversation);
        return answer.text().endsWith(PlanModel.GOOD)
                ? ConversationModel.says(Json.of(new Report(answer.text())).text())
                : answer;
    }

    private static boolean isDraft(ModelResponse answer) {
        return answer.toolCalls().isEmpty() && !answer.text().endsWith(PlanModel.GOOD);
    }

    private AgentBuilder agent(String id) {
        return Agent.builder(id)
                .description("Does what it is asked for.")
                .instructions("You are " + id + ".")
                .model(PlanModel.named(id))
                .tools(tools());
    }

    /** Tools that may be executed once only, and one that may be repeated; some wait. */
    private List<Tool> tools() {
        return List.of(
                tool("book").build(),
                tool("note").repeatable().build(),
                tool("pay").requiresApproval().build(),
                tool("log").requiresApproval().repeatable().build(),
                tool("wire").onInterruption(InterruptedCallPolicy.PARK).build(),
                Tool.builder("ask", "Asks how much, and does it.")
                        .input(SLOT)
                        .handler((in, context) -> context.providedData().isEmpty()
                                ? context.suspend("How much?")
                                : carryOut("ask", in, context))
                        .build());
    }

    private Tool.Builder<Json> tool(String name) {
        return Tool.builder(name, "Carries out.").input(SLOT).handler((in, context) -> carryOut(name, in, context));
    }

    private String carryOut(String tool, Json in, ToolContext context) {
        String slot = in.at("/slot").flatMap(Json::string).orElseThrow();
        effects.carryOut(new Effect(tool, slot, context.idempotencyKey(), context.callId(), 1));
        return "ok";
    }

    /** Return whether a tool may be executed again under the same key. */
    static boolean isRepeatable(String tool) {
        return tool.equals("note") || tool.equals("log");
    }
}
