/** Not for use from outside: requests by LangChain4j, connections of ours, and a reader for each protocol. */
@NullMarked
package dev.chargehand.langchain4j.internal;

import org.jspecify.annotations.NullMarked;
