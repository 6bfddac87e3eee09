package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server listens when it is started, or says why it does not. */
class ListeningTest {

    @ParameterizedTest
    @EnumSource
    void aPortThatIsInUseIsRejectedWithWhatToDo(HttpBinding binding) {
        try (AgentRuntime runtime = AgentRuntime.builder().build();
                ChargehandServer first =
                        ChargehandServer.builder(runtime).port(0).start()) {
            int port = first.uri().getPort();
            assertThatThrownBy(() -> ChargehandServer.builder(runtime)
                            .binding(binding)
                            .port(port)
                            .start())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + port)
                    .hasMessageContaining("Choose another port");
        }
    }
}
