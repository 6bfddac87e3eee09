package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.message.Message;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.Moderation;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.OutputStreamProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.processor.PromptInjectionDetector;
import dev.chargehand.processor.Redaction;
import dev.chargehand.processor.TextProcessor;
import dev.chargehand.processor.TokenLimiter;
import dev.chargehand.processor.ToolCallFilter;
import dev.chargehand.processor.UnicodeNormalizer;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.StopReason;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Guardrails: input and output of an agent are inspected, rewritten, or blocked. */
public final class Guarded {

    static final RequestContext.Key<String> PLAN = RequestContext.Key.of("plan", String.class);

    private Guarded() {}

    /** Run it against a real provider. */
    public static void main(String[] arguments) {
        Agent desk = desk(Models.named(arguments), Models.named(arguments));
        System.out.println(
                answer(desk, "My card 4111 1111 1111 1111 was charged twice. What now?", System.err::println));
    }

    static Agent desk(String model, String judge) {
        return Agent.builder("desk")
                .instructions("You answer questions of customers about their orders.")
                .model(model)
                .inputProcessors(
                        UnicodeNormalizer.nfkc(),
                        Redaction.all(),
                        PromptInjectionDetector.by(judge),
                        ToolCallFilter.all(),
                        TokenLimiter.of(8_000))
                .outputProcessors(
                        Redaction.all().pattern("order", "ORD-\\d{6}"),
                        Moderation.by(judge).withRetry())
                .build();
    }

    static String answer(Agent desk, String question, Consumer<String> log) {
        RunResult result = desk.generate(
                question,
                o -> o.addListener(event -> {
                    if (event instanceof RunEvent.Tripwire trip) {
                        log.accept(trip.processor() + ": " + trip.reason());
                    }
                }));
        return switch (result.stopReason()) {
            case StopReason.Tripwire trip -> "I cannot help with that.";
            default -> result.text();
        };
    }

    static final InputProcessor SHORT_QUESTIONS = InputProcessor.of("short-questions", (context, messages) -> {
        int length =
                messages.stream().mapToInt(message -> message.text().length()).sum();
        boolean premium = context.requestContext().get(PLAN).orElse("free").equals("premium");
        return length <= 500 || premium ? Processed.unchanged() : Processed.abort("The question is too long.");
    });

    static final OutputStepProcessor NO_PROMISES = OutputStepProcessor.of("no-promises", (context, answer) -> {
        return answer.text().toLowerCase(Locale.ROOT).contains("we guarantee")
                ? Processed.retry("Do not promise anything.")
                : Processed.unchanged();
    });

    static final OutputStreamProcessor HOUSE_STYLE =
            OutputStreamProcessor.of("house-style", context -> new TextProcessor() {
                private String held = "";

                @Override
                public Processed<String> next(String delta) {
                    String text = (held + delta).replace("ACME Inc.", "ACME");
                    int keep = Math.min(text.length(), "ACME Inc.".length() - 1);
                    held = text.substring(text.length() - keep);
                    return Processed.rewritten(text.substring(0, text.length() - keep));
                }

                @Override
                public Processed<String> end() {
                    return Processed.rewritten(held);
                }
            });

    static RunResult strictly(Agent desk, String question, String plan) {
        return desk.generate(List.of(Message.user(question)), o -> o.inputProcessors(SHORT_QUESTIONS)
                .outputProcessors(NO_PROMISES, HOUSE_STYLE)
                .maxProcessorRetries(2)
                .requestContext(RequestContext.of(PLAN, plan)));
    }
}
