"""Networks of transformers with drawn weights and few layers, and how they are exported (exports.py): name -> maker of
(module, arguments, names of inputs, names of outputs, {axis: name} of each input)."""
import torch
import transformers as t

CASES = {}


class Called(torch.nn.Module):
    """A module whose forward is `call(model, *arguments)`."""

    def __init__(self, model, call):
        super().__init__()
        self.model, self.call = model, call

    def forward(self, *arguments):
        return self.call(self.model, *arguments)


def case(name):
    def kept(maker):
        CASES[name] = maker
        return maker
    return kept


def words(rows=2, columns=9, count=100):
    return torch.randint(0, count, (rows, columns))


def image_case(name, make, size=224, result=lambda model, x: model(pixel_values=x)[0], batch=2):
    def maker():
        return Called(make(), result), (torch.randn(batch, 3, size, size),), ["pixel_values"], ["out"], ({0: "batch"},)
    CASES[name] = maker


def boxes(model, x):
    found = model(pixel_values=x)
    return found.logits, found.pred_boxes


def detector_case(name, make, shape):
    def maker():
        return Called(make(), boxes), (torch.randn(1, 3, *shape),), ["pixel_values"], ["logits", "boxes"], ({0: "batch"},)
    CASES[name] = maker


def pooled(model, x, mask):
    hidden = model(input_ids=x, attention_mask=mask).last_hidden_state
    weights = mask.unsqueeze(-1).to(hidden.dtype)
    return torch.nn.functional.normalize((hidden * weights).sum(1) / weights.sum(1).clamp(min=1e-9), dim=-1)


def text_case(name, make, result=pooled, count=100):
    def maker():
        return (Called(make(), result), (words(2, 9, count), torch.ones(2, 9, dtype=torch.long)), ["input_ids", "attention_mask"], ["out"],
                ({0: "batch", 1: "seq"},) * 2)
    CASES[name] = maker


def cached_case(name, kind, config):
    """A decoder with its cache of keys and values."""
    def maker():
        model, layers = kind(config), config.num_hidden_layers
        heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
        size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads

        def call(model, x, mask, *past):
            cache = t.DynamicCache()
            for i in range(layers):
                cache.update(past[2 * i], past[2 * i + 1], i)
            out = model(input_ids=x, attention_mask=mask, past_key_values=cache, use_cache=True)
            return (out.logits, *(each for layer in out.past_key_values.layers for each in (layer.keys, layer.values)))

        kept = [f"{i // 2}_{'kv'[i % 2]}" for i in range(2 * layers)]
        arguments = (words(2, 3), torch.ones(2, 8, dtype=torch.long), *(torch.randn(2, heads, 5, size) for _ in kept))
        axes = ({0: "batch", 1: "seq"}, {0: "batch", 1: "past_seq + seq"}, *({0: "batch", 2: "past_seq"} for _ in kept))
        return (Called(model, call), arguments, ["input_ids", "attention_mask", *("past_" + k for k in kept)],
                ["logits", *("present_" + k for k in kept)], axes)
    CASES[name] = maker


TEXT = dict(vocab_size=5000, hidden_size=192, num_hidden_layers=2, num_attention_heads=6, intermediate_size=384)
DECODER = dict(vocab_size=8000, hidden_size=256, intermediate_size=512, num_hidden_layers=3, num_attention_heads=4)
RESNET = dict(depths=[2, 2, 2, 2], layer_type="basic", hidden_sizes=[64, 128, 256, 512])
WHISPER = dict(d_model=384, encoder_layers=4, decoder_layers=4, encoder_attention_heads=6, decoder_attention_heads=6, encoder_ffn_dim=1536, decoder_ffn_dim=1536)

image_case("clip_vision", lambda: t.CLIPVisionModelWithProjection(t.CLIPVisionConfig(num_hidden_layers=4)), result=lambda m, x: m(pixel_values=x).image_embeds)
text_case("clip_text", lambda: t.CLIPTextModelWithProjection(t.CLIPTextConfig(num_hidden_layers=4)),
          lambda m, x, mask: m(input_ids=x, attention_mask=mask).text_embeds, 40000)
detector_case("detr", lambda: t.DetrForObjectDetection(t.DetrConfig(
    use_timm_backbone=False, use_pretrained_backbone=False, backbone=None, backbone_config=t.ResNetConfig(out_features=["stage4"], **RESNET),
    encoder_layers=2, decoder_layers=2)), (256, 320))
detector_case("rt_detr", lambda: t.RTDetrForObjectDetection(t.RTDetrConfig(
    backbone=None, use_timm_backbone=False, use_pretrained_backbone=False, encoder_in_channels=[128, 256, 512], decoder_layers=2, num_queries=50,
    backbone_config=t.RTDetrResNetConfig(out_features=["stage2", "stage3", "stage4"], **RESNET))), (320, 320))
detector_case("yolos", lambda: t.YolosForObjectDetection(t.YolosConfig(
    hidden_size=192, num_hidden_layers=4, num_attention_heads=3, intermediate_size=768, image_size=[256, 256])), (256, 256))
cached_case("llama_kv", t.LlamaForCausalLM, t.LlamaConfig(vocab_size=32000, hidden_size=768, intermediate_size=2048, num_hidden_layers=12,
                                                          num_attention_heads=12, num_key_value_heads=4))
cached_case("qwen3_kv", t.Qwen3ForCausalLM, t.Qwen3Config(**{**DECODER, "num_attention_heads": 8}, num_key_value_heads=2, head_dim=32))
cached_case("gemma_kv", t.GemmaForCausalLM, t.GemmaConfig(**DECODER, num_key_value_heads=1, head_dim=64))
cached_case("phi_kv", t.PhiForCausalLM, t.PhiConfig(**DECODER))
cached_case("gpt_neox_kv", t.GPTNeoXForCausalLM, t.GPTNeoXConfig(**DECODER))
cached_case("gpt2_kv", t.GPT2LMHeadModel, t.GPT2Config(vocab_size=8000, n_embd=256, n_layer=3, n_head=4))
text_case("embedder", lambda: t.BertModel(t.BertConfig(hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536)))
text_case("mpnet", lambda: t.MPNetModel(t.MPNetConfig(**TEXT)))
text_case("roberta", lambda: t.RobertaModel(t.RobertaConfig(**TEXT)))
text_case("distilbert", lambda: t.DistilBertModel(t.DistilBertConfig(vocab_size=5000, dim=192, n_layers=2, n_heads=6, hidden_dim=384)))
text_case("deberta", lambda: t.DebertaV2Model(t.DebertaV2Config(
    **TEXT, relative_attention=True, pos_att_type=["p2c", "c2p"], position_buckets=32, max_relative_positions=64)))
text_case("modernbert", lambda: t.ModernBertModel(t.ModernBertConfig(
    **{**TEXT, "num_hidden_layers": 4}, pad_token_id=0, eos_token_id=1, bos_token_id=2, cls_token_id=3, sep_token_id=4)))
text_case("t5_encoder", lambda: t.T5EncoderModel(t.T5Config(vocab_size=5000, d_model=192, d_kv=32, d_ff=384, num_layers=2, num_heads=6)))
text_case("funnel", lambda: t.FunnelModel(t.FunnelConfig(vocab_size=5000, block_sizes=[2, 2], d_model=192, n_head=6, d_head=32, d_inner=384)))
image_case("dinov2", lambda: t.Dinov2Model(t.Dinov2Config(hidden_size=192, num_hidden_layers=3, num_attention_heads=3)))
image_case("segformer", lambda: t.SegformerForSemanticSegmentation(t.SegformerConfig()), 256)
image_case("swinv2", lambda: t.Swinv2Model(t.Swinv2Config(embed_dim=48, depths=[2, 2], num_heads=[3, 6], image_size=128, window_size=8)), 128)
image_case("convnextv2", lambda: t.ConvNextV2Model(t.ConvNextV2Config(hidden_sizes=[24, 48, 96, 192], depths=[1, 1, 2, 1])))
image_case("mobilevit", lambda: t.MobileViTModel(t.MobileViTConfig(image_size=256)), 256)
image_case("depth_anything", lambda: t.DepthAnythingForDepthEstimation(t.DepthAnythingConfig(
    backbone_config=t.Dinov2Config(hidden_size=96, num_hidden_layers=4, num_attention_heads=3, image_size=126, out_indices=[1, 2, 3, 4],
                                   apply_layernorm=True, reshape_hidden_states=False),
    reassemble_hidden_size=96, neck_hidden_sizes=[24, 48, 96, 96], fusion_hidden_size=32, head_hidden_size=16)), 126)


@case("sam_vision")
def sam_vision():
    from transformers.models.sam.modeling_sam import SamVisionModel
    model = SamVisionModel(t.SamVisionConfig(hidden_size=192, num_hidden_layers=4, num_attention_heads=3, image_size=512, global_attn_indexes=[1, 3], mlp_dim=768))
    return Called(model, lambda m, x: m(pixel_values=x).last_hidden_state), (torch.randn(1, 3, 512, 512),), ["pixel_values"], ["embeddings"], ({},)


@case("sam_decoder")
def sam_decoder():
    model = t.SamModel(t.SamConfig(vision_config=dict(hidden_size=192, num_hidden_layers=1, num_attention_heads=3, image_size=512, mlp_dim=96),
                                   prompt_encoder_config=dict(image_size=512)))

    def call(model, embeddings, points, labels):
        out = model(image_embeddings=embeddings, input_points=points, input_labels=labels)
        return out.pred_masks, out.iou_scores
    return (Called(model, call), (torch.randn(1, 256, 32, 32), torch.rand(1, 1, 3, 2) * 512, torch.ones(1, 1, 3, dtype=torch.long)),
            ["image_embeddings", "input_points", "input_labels"], ["masks", "scores"], ({}, {2: "points"}, {2: "points"}))


@case("whisper_encoder")
def whisper_encoder():
    return (Called(t.WhisperModel(t.WhisperConfig(**WHISPER)).get_encoder(), lambda m, x: m(x).last_hidden_state), (torch.randn(1, 80, 3000),),
            ["input_features"], ["hidden"], ({0: "batch"},))


@case("whisper_decoder")
def whisper_decoder():
    def call(model, x, hidden):
        heard = t.modeling_outputs.BaseModelOutput(last_hidden_state=hidden)
        return model(decoder_input_ids=x, encoder_outputs=heard, use_cache=False).logits
    return (Called(t.WhisperForConditionalGeneration(t.WhisperConfig(**WHISPER)), call), (words(2, 7, 50000), torch.randn(2, 1500, 384)),
            ["decoder_input_ids", "encoder_hidden_states"], ["logits"], ({0: "batch", 1: "seq"}, {0: "batch"}))


@case("mamba")
def mamba():
    model = t.MambaModel(t.MambaConfig(vocab_size=5000, hidden_size=128, num_hidden_layers=2, state_size=8, use_cache=False))
    return Called(model, lambda m, x: m(input_ids=x, use_cache=False).last_hidden_state), (words(),), ["input_ids"], ["out"], ({0: "batch"},)


@case("wav2vec2")
def wav2vec2():
    model = t.Wav2Vec2ForCTC(t.Wav2Vec2Config(hidden_size=96, num_hidden_layers=2, num_attention_heads=4, intermediate_size=192, conv_dim=(32,) * 7,
                                              num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4))
    return Called(model, lambda m, x: m(x).logits), (torch.randn(2, 8000),), ["input_values"], ["logits"], ({0: "batch", 1: "samples"},)


@case("vits")
def vits():
    model = t.VitsModel(t.VitsConfig(hidden_size=48, num_hidden_layers=2, num_attention_heads=2, ffn_dim=96, flow_size=48, spectrogram_bins=65,
                                     upsample_initial_channel=64, prior_encoder_num_flows=2, posterior_encoder_num_wavenet_layers=2,
                                     noise_scale=0., noise_scale_duration=0.))
    return Called(model, lambda m, x: m(input_ids=x).waveform), (words(1, 12, 38),), ["input_ids"], ["waveform"], ({1: "seq"},)


@case("encodec")
def encodec():
    model = t.EncodecModel(t.EncodecConfig(num_filters=8, hidden_size=32, codebook_size=64, codebook_dim=32, upsampling_ratios=[4, 2], num_lstm_layers=1))
    return Called(model, lambda m, x: m.decoder(m.encoder(x))), (torch.randn(1, 1, 3200),), ["audio"], ["out"], ({},)
