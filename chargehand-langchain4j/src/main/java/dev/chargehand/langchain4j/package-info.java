/**
 * Models of providers with protocols of their own: Anthropic, Google Gemini, Ollama; requests are written by
 * LangChain4j.
 */
@NullMarked
package dev.chargehand.langchain4j;

import org.jspecify.annotations.NullMarked;
