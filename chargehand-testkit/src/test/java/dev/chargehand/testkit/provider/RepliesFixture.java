package dev.chargehand.testkit.provider;

import static dev.chargehand.testkit.provider.WireClient.ask;

import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;

/** Replies of a provider, which must all have been asked for as they were planned. */
abstract class RepliesFixture {

    final LoopbackProvider provider = LoopbackProvider.start();

    @AfterEach
    void closeProvider() {
        provider.verify();
        provider.close();
    }

    WireClient asked(Reply reply) throws IOException {
        provider.enqueue(reply);
        return new WireClient(provider).post(ask("m"));
    }
}
