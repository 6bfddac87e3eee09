package dev.chargehand.server;

/** A protocol that existing clients speak, which the server offers in addition to its own API. Later versions add protocols. */
public enum ServerWire {
    /** OpenAI's chat completions and responses, under {@code /v1}. */
    OPENAI,
    /** The chats of the AI SDK's user interfaces, under {@code /ai-sdk}. */
    AI_SDK,
    /** AG-UI, under {@code /ag-ui}. */
    AG_UI,
    /** Mastra's client for JavaScript, under {@code /api}. */
    MASTRA
}
