import { hex } from "../dialects/ids.ts";
import type { JsonObject } from "../json.ts";
import { BASE_MODELS, type DialectName } from "../model.ts";

/** The list of base models and `more` in the dialect's recorded shape. */
export function modelList(dialect: DialectName, more: readonly string[] = []): JsonObject {
  const created = Math.floor(Date.now() / 1000);
  return {
    object: "list",
    data: [...BASE_MODELS, ...more].map((id) => ({
      id,
      object: "model",
      created,
      owned_by: dialect === "python" ? "vllm" : "vllm-frontend-rs",
      root: "/model",
      parent: null,
      max_model_len: id.startsWith("tiny") ? 2048 : 8192,
      ...(dialect === "python" ? { permission: [permission(created)] } : {}),
    })),
  };
}

function permission(created: number): JsonObject {
  return {
    id: `modelperm-${hex(16)}`,
    object: "model_permission",
    created,
    allow_create_engine: false,
    allow_sampling: true,
    allow_logprobs: true,
    allow_search_indices: false,
    allow_view: true,
    allow_fine_tuning: false,
    organization: "*",
    group: null,
    is_blocking: false,
  };
}
