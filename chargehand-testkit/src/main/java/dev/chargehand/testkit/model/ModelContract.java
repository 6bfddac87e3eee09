package dev.chargehand.testkit.model;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.chargehand.model.Model;
import dev.chargehand.testkit.provider.LoopbackProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Proves a model: extend it, say how yours is made and which protocol it speaks, and run it with JUnit 6.
 *
 * <p>Each test has a provider of its own on a real socket, which answers in the protocol and breaks off, stalls, fails
 * and resets where the test wants it to. Features that the protocol lacks ({@link ModelWire#can}) are not tested.
 *
 * <pre>{@code
 * class MyModelTest extends ModelContract {
 *     @Override protected ModelWire wire() { return ModelWire.anthropic(); }
 *     @Override protected Model open(String baseUrl, String key) { return new MyModel(baseUrl, key); }
 * }
 * }</pre>
 */
public abstract class ModelContract
        implements AnswerRules, FaultRules, EndingRules, RequestRules, ConversationRules, RunRules {

    private @Nullable LoopbackProvider provider;
    private @Nullable Model model;

    /** Return the protocol that the model speaks. */
    protected abstract ModelWire wire();

    /**
     * Make the model.
     *
     * @param baseUrl where the API starts
     * @param key the key to send
     * @throws Exception if it cannot; the test fails
     */
    protected abstract Model open(String baseUrl, String key) throws Exception;

    /** Close what a model was made with; does nothing unless overridden. */
    protected void closeModel() throws Exception {}

    @BeforeEach
    final void openModel() throws Exception {
        provider = LoopbackProvider.start();
        model = open(wire().baseUrl(provider), KEY);
    }

    @AfterEach
    final void closeAll() throws Exception {
        try {
            closeModel();
        } finally {
            theProvider().close();
        }
    }

    @Override
    public final Model theModel() {
        Model made = model;
        assertNotNull(made, "The model is made before each test.");
        return made;
    }

    @Override
    public final ModelWire theWire() {
        return wire();
    }

    @Override
    public final LoopbackProvider theProvider() {
        LoopbackProvider started = provider;
        assertNotNull(started, "The provider is started before each test.");
        return started;
    }
}
