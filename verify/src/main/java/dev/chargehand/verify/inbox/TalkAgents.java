package dev.chargehand.verify.inbox;

import dev.chargehand.Agent;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.tool.Tool;
import dev.chargehand.verify.scripted.ConversationModel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** An agent that makes small steps until its run ends as its prompt says, and a sub-agent that waits. */
final class TalkAgents {

    static final String LISTENER = "listener";

    private static final String SIGNER = "signer";
    private static final int MOST_NANOS = 2_000_000;

    private final Consumer<List<String>> heard;

    /** Make them; what the model is given by the user goes to {@code heard} with each step. */
    TalkAgents(Consumer<List<String>> heard) {
        this.heard = heard;
    }

    /** What the tools take. */
    record Turn(int number) {}

    /** Return what a run is started with. */
    static String prompt(Talk.End end, int steps) {
        return "Go " + end + " " + steps;
    }

    Agent listener() {
        Agent signer = Agent.builder(SIGNER)
                .description("Signs.")
                .model(new ConversationModel(SIGNER, TalkAgents::sign))
                .tools(Tool.builder("sign", "Signs.")
                        .input(Turn.class)
                        .requiresApproval()
                        .handler((in, context) -> "signed")
                        .build())
                .build();
        return Agent.builder(LISTENER)
                .model(new ConversationModel(LISTENER, this::answer))
                .agents(signer)
                .tools(Tool.builder("pause", "Pauses.")
                        .input(Turn.class)
                        .handler((in, context) -> {
                            LockSupport.parkNanos(Math.floorMod(in.number() * 7_919_777L, MOST_NANOS));
                            return "paused";
                        })
                        .build())
                .build();
    }

    private static ModelResponse sign(List<Message> conversation) {
        return ConversationModel.calls(List.of(ConversationModel.call("s", "sign", new Turn(1))));
    }

    private ModelResponse answer(List<Message> conversation) {
        List<String> said = conversation.stream()
                .filter(message -> message.role() == Role.USER && !message.internal())
                .map(Message::text)
                .toList();
        heard.accept(said.subList(1, said.size()));
        String[] prompt = said.getFirst().split(" ", -1);
        Talk.End end = Talk.End.valueOf(prompt[1]);
        int steps = (int) conversation.stream()
                .filter(message -> message.role() == Role.ASSISTANT)
                .count();
        boolean last = steps >= Integer.parseInt(prompt[2]);
        if (last && end == Talk.End.DONE) {
            return ConversationModel.says("Done");
        }
        return ConversationModel.calls(List.of(
                last && end == Talk.End.CANCEL_WAITING
                        ? ConversationModel.call("d", "agent-" + SIGNER, Map.of("prompt", "Sign"))
                        : ConversationModel.call("p", "pause", new Turn(steps))));
    }
}
