package dev.chargehand.testkit.provider;

import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Run a provider in a process of its own, for benchmarks: it echoes the last user message, and embeds texts
 * by {@link dev.chargehand.model.HashedWords}.
 *
 * <p>Prints its port as the first line and runs until its standard input ends, so that it dies with its parent.
 * Options: {@code --port N} (default 0: a free one), {@code --delay-ms N} before each answer (default 0),
 * {@code --deltas N} into which the answer is cut (default 1). Checks and log are off.
 */
public final class LoopbackProviderMain {
    private LoopbackProviderMain() {}

    /** Run until the standard input ends; exits with 64 on a wrong option. */
    public static void main(String[] arguments) throws IOException {
        int port;
        Duration delay;
        int deltas;
        try {
            List<String> given = List.of(arguments);
            port = option(given, "--port", 0);
            delay = Duration.ofMillis(option(given, "--delay-ms", 0));
            deltas = Math.max(1, option(given, "--deltas", 1));
        } catch (IllegalArgumentException e) {
            System.err.println("Usage: [--port N] [--delay-ms N] [--deltas N]; " + e.getMessage());
            System.exit(64);
            return;
        }
        ProviderOptions options = ProviderOptions.DEFAULT.withPort(port).forLoad();
        try (LoopbackProvider provider = LoopbackProvider.start(options)) {
            provider.fallback(
                    request -> Reply.text(cut(request.lastUserText(), deltas)).delay(delay));
            provider.onEmbeddings(request -> Reply.hashedWords(request).delay(delay));
            System.out.println(provider.port());
            while (System.in.read() >= 0) {
                // Whatever is typed is of no interest; the end of it is.
            }
        }
    }

    private static int option(List<String> given, String name, int otherwise) {
        int at = given.indexOf(name);
        if (at < 0) {
            return otherwise;
        }
        if (at + 1 == given.size()) {
            throw new IllegalArgumentException(name + " has no value.");
        }
        return Integer.parseInt(given.get(at + 1));
    }

    private static String[] cut(String text, int deltas) {
        String[] parts = new String[deltas];
        for (int i = 0; i < deltas; i++) {
            parts[i] = text.substring(text.length() * i / deltas, text.length() * (i + 1) / deltas);
        }
        return parts;
    }
}
