/** Agents and our client against MockServer, an OpenAI-compatible server that was not written in this project. */
@NullMarked
package dev.chargehand.langchain4j.foreign;

import org.jspecify.annotations.NullMarked;
