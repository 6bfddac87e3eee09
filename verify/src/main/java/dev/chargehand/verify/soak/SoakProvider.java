package dev.chargehand.verify.soak;

import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.ProviderOptions;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;

/** The model server of the soak: answers by the name of the model. */
final class SoakProvider implements AutoCloseable {

    private final LoopbackProvider provider = LoopbackProvider.start(ProviderOptions.DEFAULT.forLoad());

    SoakProvider() {
        provider.fallback(SoakProvider::answer);
    }

    String baseUrl() {
        return provider.baseUrl();
    }

    int openConnections() {
        return provider.openConnections();
    }

    private static Reply answer(ReceivedRequest request) {
        boolean answered = request.messages().getLast().role().equals("tool");
        return switch (request.model()) {
            case "supervisor" ->
                answered
                        ? Reply.text("All ", "done.")
                        : Reply.toolCalls(Reply.call("d", "agent-plain", "{\"prompt\":\"P\"}"));
            case "plain" ->
                answered ? Reply.text("Seen ", "it.") : Reply.toolCalls(Reply.call("t", "look", "{\"query\":\"q\"}"));
            case "careful" ->
                answered
                        ? Reply.text("All ", "done.")
                        : Reply.toolCalls(Reply.call("d", "agent-payer", "{\"prompt\":\"P\"}"));
            case "payer" ->
                answered
                        ? Reply.text("It is ", "dealt with.")
                        : Reply.toolCalls(Reply.call("t", "pay", "{\"query\":\"q\"}"));
            case "endless" -> Reply.sse().role().text("It ", "goes ", "on ").stall();
            case "cut" -> Reply.sse().role().text("Half ").hangUp();
            case "silent" -> Reply.sse().role().text("No ", "end");
            default -> Reply.error(503, "Overloaded.");
        };
    }

    @Override
    public void close() {
        provider.close();
    }
}
