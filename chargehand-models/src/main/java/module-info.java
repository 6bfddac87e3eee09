/** The client of OpenAI-compatible providers, and models by names such as {@code openai/gpt-5-mini}. */
module dev.chargehand.models {
    requires static transitive org.jspecify;
    requires transitive dev.chargehand;
    requires dev.chargehand.provider;
    requires org.apache.httpcomponents.client5.httpclient5;
    requires org.apache.httpcomponents.core5.httpcore5;
    requires tools.jackson.core;

    exports dev.chargehand.models;

    provides dev.chargehand.model.ModelProvider with
            dev.chargehand.models.OpenAiCompatibleProvider;
}
